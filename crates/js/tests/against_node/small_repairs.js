// What several modules did otherwise than Node, one thing after the other.
const assert = require('assert');
const { openAsBlob, exists, mkdtempSync, writeFileSync, rmSync } = require('fs');
const net = require('net');
const { promisify, format, inspect } = require('util');
const { Writable } = require('stream');
const { channel } = require('diagnostics_channel');
const { MessageChannel } = require('worker_threads');
const { createHistogram, monitorEventLoopDelay } = require('perf_hooks');
const { mock } = require('node:test');
const url = require('url');

const attempt = (act) => { try { console.log('gives', act()); } catch (error) { console.log(error.name, error.code, error.message); } };
const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

async function main() {
  // A part of a file has its own bytes only.
  const folder = mkdtempSync('/tmp/repairs-');
  writeFileSync(`${folder}/file`, 'abcdefghij'.repeat(10));
  const part = (await openAsBlob(`${folder}/file`)).slice(10, 15);
  console.log(part.size, (await part.arrayBuffer()).byteLength, await part.text(), await part.slice(1, 3).text());
  rmSync(folder, { recursive: true });

  // Names, and arguments that are missing.
  console.log(promisify(exists).name);
  attempt(() => URL.revokeObjectURL());
  class Wanted extends Error {}
  class Given extends Error {}
  attempt(() => assert.throws(() => { throw new Given('x'); }, Wanted));
  attempt(() => assert.throws(() => { throw Object.assign(new Given('x'), { name: 'Other' }); }, Wanted));
  attempt(() => assert.throws(() => { throw Object.assign(new Error('x'), { constructor: {} }); }, Wanted));

  // Digits in groups are for placeholders, too.
  inspect.defaultOptions.numericSeparator = true;
  console.log(format('%d %s %i %f', 1234567.25, 1234567n, 1234567, 7654321.5));
  inspect.defaultOptions.numericSeparator = false;
  console.log(format('%d', 1234567));

  // The streams of the global console.
  const written = [];
  const stream = (name) => new Writable({ write(chunk, encoding, done) { written.push(`${name} ${chunk}`); done(); } });
  const { _stdout, _stderr } = console;
  console._stdout = stream('out');
  console._stderr = stream('error');
  console.log('a');
  console.error('b');
  [console._stdout, console._stderr] = [_stdout, _stderr];
  console.log(written);
  const { write, isTTY } = process.stdout;
  const shown = [];
  process.stdout.write = (text) => shown.push(text);
  for (const value of [true, false]) {
    process.stdout.isTTY = value;
    console.clear();
  }
  Object.assign(process.stdout, { write, isTTY });
  console.log(shown);

  // Memory that many buffers share stays where it is.
  const [one, other] = [Buffer.from('hello'), Buffer.from('hello')];
  const { port1 } = new MessageChannel();
  port1.postMessage(one, [one.buffer]);
  port1.close();
  console.log(one.buffer === other.buffer, one.length, other.toString());

  // A clone of a histogram counts with it.
  const histogram = createHistogram();
  const clone = structuredClone(histogram);
  clone.record(5);
  console.log(clone.constructor.name, histogram.count, histogram.max, structuredClone(monitorEventLoopDelay()).constructor.name);

  // A server that cannot listen says so at once to who follows it, and later by its event.
  const first = net.createServer();
  await listening(first);
  const failures = [];
  channel('tracing:net.server.listen:error').subscribe(({ error }) => failures.push(error.code));
  const second = net.createServer().on('error', () => {});
  second.listen(first.address().port, '127.0.0.1');
  second.once('error', (error) => { console.log(failures, error.code); first.close(); });
  await new Promise((resolve) => first.once('close', resolve));

  // Timers of a test.
  const { scheduler } = require('timers/promises');
  mock.timers.enable({ apis: ['scheduler.wait', 'Date'], now: 5 });
  let isOver = false;
  const waits = scheduler.wait(100).then(() => { isOver = true; });
  mock.timers.tick(99);
  await null;
  console.log(isOver, Date.now());
  mock.timers.tick(1);
  await waits;
  await scheduler.wait(1, { signal: {} }).catch((error) => console.log(error.code));
  const { constructor: Timers } = mock.timers;
  attempt(() => new Timers().enable({ apis: ['Date'] }));
  mock.timers.reset();
  console.log(isOver, Date.now() > 1000);

  // A class in the place of another makes what the other is.
  class Original { constructor() { this.original = true; } }
  class Instead { constructor(value) { this.value = value; } }
  const Mocked = mock.fn(Original, Instead);
  const made = new Mocked(7);
  console.log(made instanceof Original, made instanceof Instead, made.value, made.original);

  // Warnings.
  process.on('warning', ({ code, message }) => { if (code) console.log(code, message); });
  for (const wrong of ['https://a.com:.b.com', 'git+ssh://git@c.com:d/e']) console.log(url.parse(wrong).pathname);
  Error.prepareStackTrace = () => new Buffer(1);
  void new Error().stack;
  Error.prepareStackTrace = undefined;
  process.on('exit', () => attempt(() => new assert.CallTracker().calls(() => {}, 1)));
}
main();

// A bound function tells its resource.
{
  const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
  process.once('warning', ({ name, code, message }) => console.log(name, code, message));
  const resource = new AsyncResource('BOUND');
  const bound = resource.bind((a, b) => a + b);
  console.log(Object.getOwnPropertyDescriptors(bound), bound.asyncResource === resource, bound(1, 2));
  bound.asyncResource = 5;
  console.log(bound.asyncResource, Object.getOwnPropertyNames(AsyncResource.bind(() => {}, 'X', 1)));
  console.log(Object.getOwnPropertyNames(AsyncLocalStorage.bind(() => {})));
}

// In a directory that was removed nothing is made, and not that directory either.
{
  const fs = require('fs');
  const before = process.cwd();
  const gone = fs.mkdtempSync(`${require('os').tmpdir()}/gone-`);
  process.chdir(gone);
  fs.rmdirSync(gone);
  for (const recursive of [false, true]) {
    try {
      fs.mkdirSync('X', { recursive });
    } catch (error) {
      console.log(error.message);
    }
  }
  console.log(fs.existsSync(gone));
  process.chdir(before);
}

// A name without a directory has no permissions.
for (const mode of [{ readableAll: true }, { writableAll: true }, { readableAll: 1, writableAll: false }]) {
  attempt(() => require('net').createServer().listen({ path: '\0suite-findings', ...mode }));
}

// The source map that a script names, in its last comment that names one.
for (const text of [
  '1', '1 //# sourceMappingURL=a.map', '//@ sourceMappingURL=a.map\n//# sourceMappingURL=b.map \n1', '`\n//# sourceMappingURL=a.map\n`',
  '/*\n//# sourceMappingURL=a.map\n*/', '//# sourceMappingURL=a.map\n//# sourceMappingURL=b c', '//  # sourceMappingURL=a.map',
]) {
  console.log(new (require('vm').Script)(text));
}

// A number of a source map that is a negative zero.
console.log(new (require('module').SourceMap)({ version: 3, sources: ['a'], names: [], mappings: 'AAAB' }).findEntry(0, 0));
