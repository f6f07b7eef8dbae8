// AsyncLocalStorage through everything that calls back later.
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const { EventEmitter } = require('events');
const fs = require('fs');
const als = new AsyncLocalStorage();
const seen = [];
const see = (what) => seen.push(`${what}: ${als.getStore()}`);
als.run('A', () => {
  setTimeout(() => see('timeout'), 1);
  setImmediate(() => see('immediate'));
  process.nextTick(() => see('tick'));
  queueMicrotask(() => see('microtask'));
  Promise.resolve().then(() => see('then'));
  Promise.reject(1).catch(() => see('catch')).finally(() => see('finally'));
  (async () => { await null; see('await a value'); await new Promise((r) => setTimeout(r, 5)); see('await a timer'); })();
  (async () => { for await (const x of [1, Promise.resolve(2)]) see(`for await ${x}`); see('after for await'); })();
  fs.readFile(__filename, () => see('readFile'));
  fs.promises.readFile(__filename).then(() => see('readFile promise'));
  fs.createReadStream(__filename).on('data', () => see('stream data')).on('close', () => see('stream close'));
  (async () => { await { then(r) { see('thenable'); r(); } }; see('after thenable'); })();
  (async () => ({ then(r) { see('thenable returned'); r(); } }))();
  Promise.resolve({ then(r) { see('thenable resolved'); r(); } });
  Promise.all([1, new Promise((r) => setTimeout(r, 2))]).then(() => see('all'));
  import('fs').then(() => see('import'));
  const emitter = new EventEmitter();
  emitter.on('x', () => see('listener'));
  als.run('B', () => emitter.emit('x'));
  als.exit(() => { see('exit'); setTimeout(() => see('timer of exit'), 1); });
  require('zlib').gzip('x', () => see('gzip'));
  require('crypto').randomBytes(4, () => see('randomBytes'));
  require('dns').lookup('127.0.0.1', () => see('lookup'));
  const { port1, port2 } = new MessageChannel();
  port2.on('message', () => { see('message'); port2.close(); });
  port1.postMessage(1);
  require('stream').Readable.from([1]).on('data', () => see('readable'));
  require('stream').pipeline(require('stream').Readable.from([1]), async function* (source) { for await (const x of source) { see('pipeline'); yield x; } },
    new (require('stream').Writable)({ objectMode: true, write(x, e, done) { see('write'); done(); } }), () => see('pipeline done'));
  new Blob(['x']).text().then(() => see('blob'));
  AbortSignal.timeout(3).addEventListener('abort', () => see('abort'));
});
see('outside');
als.run('C', () => AsyncLocalStorage.bind(() => see('bound')))();
als.run('D', () => AsyncLocalStorage.snapshot())(() => see('snapshot'));
const resource = als.run('E', () => new AsyncResource('X'));
resource.runInAsyncScope(() => { see('resource'); setTimeout(() => see('timer of resource'), 3); });
const promise = als.run('G', () => new Promise((r) => setTimeout(r, 7)));
als.run('H', () => promise.then(() => see('linked in H')));
als.run('I', () => als.run('J', () => see('nested')));
console.log(als.run('K', (...args) => `${als.getStore()} ${args}`, 1, 2), als.exit((...args) => `${als.getStore()} ${args}`, 3));
try { als.run('L', () => { throw new Error('x'); }); } catch { see('after a throw'); }
als.enterWith('F');
see('entered');
setTimeout(() => see('timer of entered'), 1);
process.on('exit', () => {
  als.disable();
  see('disabled');
  als.run('M', () => see('again'));
  console.log(seen.sort().join('\n'));
});
