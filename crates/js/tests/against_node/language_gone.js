// Everything that the language has is taken away before the library is asked for anything.
'use strict';
const names = ['AggregateError', 'Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Date', 'Error', 'EvalError', 'FinalizationRegistry', 'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array', 'Int8Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set', 'SharedArrayBuffer', 'String', 'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet', 'decodeURIComponent', 'encodeURIComponent', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'];
for (const name of names) delete globalThis[name];

const fs = require('fs');
const show = (...values) => fs.writeSync(1, values.join(' ') + '\n');
const util = require('util');
show(util.inspect({ a: [1, { b: 2n }], c: [,1], d: /x/g }));
const { once, EventEmitter } = require('events');
const stream = require('stream');
const zlib = require('zlib');
const http = require('http');
const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');
const timers = require('timers/promises');
const steps = [
  async () => show((await fs.promises.readFile(__filename, 'utf8')).length > 100),
  async () => show(fs.statSync(__filename).mtime.getTime() > 0, util.isDeepStrictEqual(fs.readdirSync(__dirname).includes('x'), false)),
  async () => { const emitter = new EventEmitter(); process.nextTick(() => emitter.emit('e', 5)); show(await once(emitter, 'e')); },
  async () => { const chunks = []; for await (const chunk of stream.Readable.from(['a', 'b']).pipe(zlib.createGzip()).pipe(zlib.createGunzip())) chunks.push(chunk); show(Buffer.concat(chunks)); },
  async () => {
    const server = http.createServer((request, response) => response.end(request.url));
    await once(server.listen(0), 'listening');
    const [response] = await once(http.get({ port: server.address().port, path: '/p?q=1' }), 'response');
    let text = ''; for await (const chunk of response.setEncoding('utf8')) text += chunk;
    show(response.statusCode, text); server.close();
  },
  async () => { try { assert.deepStrictEqual({ a: 1 }, { a: 2 }); } catch (error) { show(error.code, error.message); } },
  async () => { const store = new AsyncLocalStorage(); await store.run(7, async () => { await timers.setTimeout(1); show(store.getStore()); }); },
  async () => show(new URL('http://a.b/c?d=e').searchParams.get('d'), require('querystring').stringify({ a: [1, 2] }), require('path').join('a', '..', 'b')),
  async () => show(require('crypto').createHash('sha256').update('x').digest('hex').slice(0, 8), require('crypto').randomUUID().length),
  async () => { const controller = new AbortController(); controller.abort(); try { await timers.setTimeout(1, 0, controller); } catch (error) { show(error.name, error.code); } },
  async () => show(structuredClone({ a: [1, { b: 'c' }] }).a[1].b, new TextDecoder().decode(new TextEncoder().encode('é'))),
  async () => show(require('vm').runInThisContext('1 + 1'), require('os').EOL.length, require('string_decoder').StringDecoder.name),
  async () => { try { fs.readFileSync('/nowhere'); } catch (error) { show(error.code, error.syscall); } },
  async () => { try { Buffer.alloc('x'); } catch (error) { show(error.code, `${error}`); } },
  async () => show((await require('util').promisify(require('child_process').execFile)(process.execPath, ['-p', '1 + 1'])).stdout.trim()),
];
(async () => { for (const step of steps) { try { await step(); } catch (error) { show('failed', error?.stack ?? error); } } })();
