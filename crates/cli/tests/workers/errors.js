// How workers end: errors of all kinds, exit codes, limits, and being stopped.
const { Worker } = require('worker_threads');
const run = (source, options = {}, act = undefined) => new Promise((resolve) => {
  const worker = new Worker(source, { eval: true, ...options });
  const log = [];
  worker.on('error', (e) => log.push(['error', e instanceof Error, e?.name, e?.message, e?.code,
    typeof e === 'object' && e ? Object.keys(e) : e, typeof e?.stack, Object.prototype.toString.call(e), String(e?.cause)]));
  worker.on('message', (message) => log.push(['message', message]));
  worker.on('messageerror', (error) => log.push(['messageerror', error.message]));
  worker.on('exit', (code) => {
    console.log(source.slice(0, 60));
    for (const entry of log) console.log('  ', ...entry);
    console.log('   exit', code, worker.threadId);
    resolve();
  });
  act?.(worker);
});
const post = 'const { parentPort } = require("worker_threads");';
(async () => {
  await run('throw new TypeError("bad")');
  await run('const e = new RangeError("r"); e.foo = { a: 1 }; e.code = "X"; e.f = () => {}; throw e');
  await run('class My extends Error { constructor() { super("my"); this.name = "My"; this.cause = new Error("c"); } } throw new My');
  await run('throw 5');
  await run('throw null');
  await run('throw { a: 1, f() {} }');
  await run('throw undefined');
  await run('throw Symbol("s")');
  await run('Promise.reject(new Error("rejected"))');
  await run('process.on("uncaughtException", (e) => { require("worker_threads").parentPort.postMessage("caught " + e.message) }); throw new Error("u")');
  await run(`${post} process.on("exit", (c) => { parentPort.postMessage("exit " + c); process.exitCode = 9 }); process.exit(4)`);
  await run(`${post} process.on("exit", (c) => { parentPort.postMessage("exit " + c); process.exitCode = 9 })`);
  await run('process.on("exit", () => { throw new Error("in exit") })');
  await run('const x = ;');
  await run('require("./nope")');
  await run('throw new AggregateError([new Error("a")], "agg")');
  await run(`${post} for (let i = 0; i < 3; i++) parentPort.postMessage(i); process.exit(0); parentPort.postMessage("never")`);
  await run('for (;;) {}', {}, (worker) => worker.on('online', () => worker.terminate().then((code) => console.log('stopped', code))));
  await run(`${post} setInterval(() => {}, 1000); parentPort.postMessage('waits')`, {}, (worker) => worker.on('message', () => worker.terminate()));
  await run(`${post} parentPort.postMessage('sleeps'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`, {},
            (worker) => worker.on('message', () => worker.terminate()));
  await run('(function f() { f(); })()', {});
  await run(`${post} try { parentPort.postMessage(() => {}) } catch (e) { parentPort.postMessage(e.name + ": " + e.message) }`);
  const done = new Worker('0', { eval: true });
  done.on('exit', () => {
    console.log(done.postMessage(1), done.resourceLimits);
    done.terminate().then((value) => console.log('again', value));
    done.getHeapSnapshot().catch((error) => console.log(error.code));
  });
})();
