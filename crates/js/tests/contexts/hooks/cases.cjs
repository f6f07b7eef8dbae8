// What hooks of node:async_hooks hear of, one small program after the other.
//
//     cases.cjs            prints the names of all cases
//     cases.cjs NAME       prints what hooks heard while that case ran
//
// Numbers are told as names in order of appearance. `only` limits a case to those types: what else a runtime
// makes for its own use is its own affair. With `endsAnytime`, what is destroyed is told last.
'use strict';

const hooks = require('async_hooks');
const { AsyncResource, AsyncLocalStorage, executionAsyncId, triggerAsyncId, executionAsyncResource } = hooks;

const log = [];
const names = new Map([[0, 'none'], [1, 'main']]);
const types = new Map();
const resources = new Map();
let only;
// For cases in which it depends on the world when something is over.
let ends;
const name = (id) => {
  if (!names.has(id)) names.set(id, only === undefined || types.has(id) ? `${types.get(id) ?? 'unknown'}#${names.size - 1}` : 'other');
  return names.get(id);
};
const hook = hooks.createHook({
  init(id, type, trigger, resource) {
    if (only !== undefined && !only.includes(type)) return;
    types.set(id, type);
    resources.set(id, resource);
    log.push(`init ${name(id)} by ${name(trigger)}, in ${name(executionAsyncId())}`);
  },
  // The timer that ends a case began before anybody heard of it.
  before(id) { if (types.has(id)) log.push(`before ${name(id)}${executionAsyncResource() === resources.get(id) ? '' : ' of another resource'}`); },
  after(id) { if (types.has(id)) log.push(`after ${name(id)}`); },
  destroy(id) { if (types.has(id)) (ends ?? log).push(`destroy ${name(id)}`); },
  promiseResolve(id) { if (types.has(id)) log.push(`resolve ${name(id)}`); },
});
const here = (what) => log.push(`${what} in ${name(executionAsyncId())} by ${name(triggerAsyncId())}`);
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));


// A server and one client; both are over when the client is.
function connection(taken, connected, path) {
  const net = require('net');
  const server = net.createServer(taken);
  const listening = () => {
    const client = path === undefined ? net.connect(server.address().port, '127.0.0.1', connected) : net.connect(path, connected);
    client.resume().on('close', () => server.close());
  };
  if (path === undefined) server.listen(0, '127.0.0.1', listening);
  else server.listen(path, listening);
}

const cases = {
  // Promises.
  newPromise() { new Promise(() => {}); },
  newPromiseResolved() { new Promise((resolve) => resolve(1)); },
  newPromiseResolvedTwice() { new Promise((resolve, reject) => { resolve(1); reject(2); resolve(3); }); },
  newPromiseRejectedAndHandled() { new Promise((resolve, reject) => reject(1)).catch(() => here('catch')); },
  newPromiseThrows() { new Promise(() => { throw 1; }).catch(() => here('catch')); },
  promiseResolve() { Promise.resolve(1); },
  promiseResolveOfPromise() { const p = Promise.resolve(1); log.push(`same ${Promise.resolve(p) === p}`); },
  promiseReject() { Promise.reject(1).catch(() => {}); },
  resolvedWithPromise() { const inner = new Promise((r) => setImmediate(r)); new Promise((resolve) => resolve(inner)).then(() => here('then')); },
  resolvedWithPending() { new Promise((resolve) => resolve(new Promise(() => {}))); },
  handledLater() { const p = new Promise((_, reject) => setImmediate(reject, 1)); p.catch(() => here('catch')); },
  then() { Promise.resolve(1).then(() => here('then')); },
  thenThrows() { Promise.resolve(1).then(() => { throw 1; }).catch(() => here('catch')); },
  thenReturnsPromise() { Promise.resolve(1).then(() => new Promise((r) => setImmediate(r))).then(() => here('then')); },
  thenWithoutHandlers() { Promise.resolve(1).then().then(() => here('then')); },
  twoThens() { const p = Promise.resolve(1); p.then(() => here('a')); p.then(() => here('b')); },
  finally() { Promise.resolve(1).finally(() => here('finally')).then(() => here('then')); },
  finallyRejected() { Promise.reject(1).finally(() => here('finally')).catch(() => here('catch')); },
  pendingThen() { let go; const p = new Promise((r) => { go = r; }); p.then(() => here('then')); setImmediate(() => go(1)); },
  thenable() { Promise.resolve({ then(resolve) { here('thenable'); resolve(1); } }).then(() => here('then')); },
  all() { Promise.all([1, Promise.resolve(2)]).then(() => here('all')); },
  race() { Promise.race([1, Promise.resolve(2)]).then(() => here('race')); },
  allSettled() { Promise.allSettled([Promise.reject(1)]).then(() => here('settled')); },
  any() { Promise.any([Promise.resolve(1)]).then(() => here('any')); },
  subclass() { class Mine extends Promise {} Mine.resolve(1).then(() => here('then')); },
  // Async functions.
  asyncFunction() { (async () => { here('body'); })(); },
  asyncThrows() { (async () => { throw 1; })().catch(() => here('catch')); },
  asyncReturnsPromise() { const p = Promise.resolve(1); (async () => p)().then(() => here('then')); },
  awaitPromise() { const p = Promise.resolve(1); (async () => { await p; here('on'); })(); },
  awaitValue() { (async () => { await 1; here('on'); })(); },
  awaitUndefined() { (async () => { await undefined; here('on'); })(); },
  awaitTwice() { (async () => { await 1; here('one'); await 2; here('two'); })(); },
  awaitPending() { const p = new Promise((r) => setImmediate(r)); (async () => { await p; here('on'); })(); },
  awaitRejected() { const p = Promise.reject(1); (async () => { try { await p; } catch { here('caught'); } })(); },
  awaitThenable() { (async () => { await { then(resolve) { here('thenable'); resolve(); } }; here('on'); })(); },
  awaitAsync() { (async () => { await (async () => { here('inner'); })(); here('on'); })(); },
  awaitAndResolve() { (async () => { await 1; return 2; })().then(() => here('then')); },
  awaitStartsTimer() { (async () => { await 1; setTimeout(() => here('timeout'), 1); })(); },
  forAwait() { (async () => { for await (const value of [1]) here(value); })(); },
  asyncGenerator() { (async () => { async function* source() { yield 1; } for await (const value of source()) here(value); })(); },
  // What the loop calls.
  tick() { process.nextTick(() => here('tick')); },
  tickInTick() { process.nextTick(() => { here('outer'); process.nextTick(() => here('inner')); }); },
  microtask() { queueMicrotask(() => here('microtask')); },
  immediate() { setImmediate(() => here('immediate')); },
  clearedImmediate() { clearImmediate(setImmediate(() => here('never'))); },
  timeout() { setTimeout(() => here('timeout'), 1); },
  clearedTimeout() { clearTimeout(setTimeout(() => here('never'), 1)); },
  timeoutClearedInside() { const timer = setTimeout(() => { here('timeout'); clearTimeout(timer); }, 1); },
  interval() { let times = 0; const timer = setInterval(() => { here('interval'); if (++times === 2) clearInterval(timer); }, 1); },
  refreshed() { let times = 0; const timer = setTimeout(() => { here('timeout'); if (++times === 1) timer.refresh(); }, 1); },
  nestedTimers() { setTimeout(() => { here('outer'); setTimeout(() => here('inner'), 1); }, 1); },
  timerStartsPromise() { setTimeout(() => { Promise.resolve(1).then(() => here('then')); }, 1); },
  thenStartsTick() { Promise.resolve(1).then(() => { process.nextTick(() => here('tick')); }); },
  // Resources of the program's own.
  resource() { new AsyncResource('MINE').runInAsyncScope(() => here('run')); },
  resourceDestroyed() { new AsyncResource('MINE').emitDestroy(); },
  resourceManual() { const mine = new AsyncResource('MINE', { requireManualDestroy: true }); mine.runInAsyncScope(() => here('run')); mine.emitDestroy(); },
  resourceDestroyedTwice() { const mine = new AsyncResource('MINE'); mine.emitDestroy(); try { mine.emitDestroy(); } catch (error) { log.push(error.code); } },
  resourceTrigger() { new AsyncResource('MINE', { triggerAsyncId: 1 }).runInAsyncScope(() => here('run')); },
  resourceThrows() { try { new AsyncResource('MINE').runInAsyncScope(() => { throw new Error('x'); }); } catch { here('caught'); } },
  resourceNested() {
    const outer = new AsyncResource('OUTER');
    const inner = outer.runInAsyncScope(() => new AsyncResource('INNER'));
    inner.runInAsyncScope(() => { here('inner'); outer.runInAsyncScope(() => here('outer')); here('inner again'); });
  },
  resourceLater() { const mine = new AsyncResource('MINE'); setImmediate(() => { mine.runInAsyncScope(() => { here('run'); }); here('immediate'); }); },
  resourceStartsPromise() { new AsyncResource('MINE').runInAsyncScope(() => { Promise.resolve(1).then(() => here('then')); }); },
  resourceBound() { const bound = new AsyncResource('MINE').bind(() => here('bound')); setImmediate(bound); },
  resourceStaticBind() { setImmediate(AsyncResource.bind(() => here('bound'), 'MINE')); },
  emitterResource() {
    const { EventEmitterAsyncResource } = require('events');
    const emitter = new EventEmitterAsyncResource({ name: 'MINE' });
    emitter.on('x', () => here('listener'));
    setImmediate(() => { emitter.emit('x'); log.push(`own ids ${emitter.asyncId === emitter.asyncResource.asyncId()} ${emitter.triggerAsyncId === emitter.asyncResource.triggerAsyncId()}`); emitter.emitDestroy(); });
  },
  // Stores, which need no hook, beside one.
  storageBind() { const als = new AsyncLocalStorage(); const bound = als.run(1, () => AsyncLocalStorage.bind(() => here(`bound ${als.getStore()}`))); setImmediate(bound); },
  storageSnapshot() { const als = new AsyncLocalStorage(); const snapshot = als.run(1, () => AsyncLocalStorage.snapshot()); setImmediate(() => snapshot(() => here(`snapshot ${als.getStore()}`))); },
  storageRun() { const als = new AsyncLocalStorage(); als.run(1, () => here(`run ${als.getStore()}`)); },
  // Hooks and the resource of what runs.
  enabledInside: { without: true, run() { setImmediate(() => { hook.enable(); here('immediate'); setImmediate(() => here('inner')); }); } },
  disabledInside() { setImmediate(() => { hook.disable(); setImmediate(() => log.push('not heard of')); }); },
  resourceOfTimer() { const timer = setTimeout(() => log.push(`its own ${executionAsyncResource() === timer}`), 1); },
  resourceOfImmediate() { const immediate = setImmediate(() => log.push(`its own ${executionAsyncResource() === immediate}`)); },
  resourceOfThen() { const p = Promise.resolve(1).then(() => log.push(`its own ${executionAsyncResource() === p}`)); },
  resourceKept() {
    // What a callback writes on its resource, later ones of the same resource see.
    let times = 0;
    const timer = setInterval(() => { const own = executionAsyncResource(); own.count = (own.count ?? 0) + 1; if (++times === 2) { clearInterval(timer); log.push(`count ${own.count}`); } }, 1);
  },
  // What Node makes of its own.
  readFile: { only: ['FSREQCALLBACK'], run() { require('fs').stat(__filename, () => here('stat')); } },
  statPromise: { only: ['FSREQPROMISE'], run() { require('fs').promises.stat(__filename).then(() => log.push('stat')); } },
  lookup: { only: ['GETADDRINFOREQWRAP'], run() { require('dns').lookup('localhost', () => here('lookup')); } },
  randomBytes: { only: ['RANDOMBYTESREQUEST'], run() { require('crypto').randomBytes(4, () => here('bytes')); } },
  pbkdf2: { only: ['PBKDF2REQUEST'], run() { require('crypto').pbkdf2('a', 'b', 1, 8, 'sha1', () => here('key')); } },
  readWholeFile: { only: ['FSREQCALLBACK'], run() { require('fs').readFile(__filename, () => here('read')); } },
  listen: { endsAnytime: true, only: ['TCPSERVERWRAP', 'TCPCONNECTWRAP'], run() { connection((socket) => { here('connection'); socket.end(); }, () => here('connected')); } },
  connection: { endsAnytime: true, only: ['TCPSERVERWRAP', 'TCPWRAP'], run() { connection((socket) => { here('connection'); socket.end('x'); }, () => {}); } },
  shutdown: { only: ['SHUTDOWNWRAP'], run() { connection((socket) => socket.end(), () => {}); } },
  pipe: { endsAnytime: true, only: ['PIPESERVERWRAP', 'PIPEWRAP', 'PIPECONNECTWRAP'], run() {
    const path = `${require('fs').mkdtempSync('/tmp/hooks-')}/socket`;
    connection((socket) => { socket.end('x'); }, () => here('connected'), path);
  } },
  datagram: { only: ['UDPWRAP'], run() {
    const socket = require('dgram').createSocket('udp4', () => { here('message'); socket.close(() => here('closed')); });
    socket.bind(0, '127.0.0.1', () => { socket.send('x', socket.address().port, '127.0.0.1'); });
  } },
  compression: { only: ['ZLIB'], run() { require('zlib').deflate('x', () => here('deflated')); } },
  signal: { only: ['SIGNALWRAP'], run() {
    process.once('SIGUSR2', () => here('signal'));
    process.kill(process.pid, 'SIGUSR2');
  } },
  request: { endsAnytime: true, only: ['HTTPCLIENTREQUEST', 'TCPSERVERWRAP'], run() {
    const http = require('http');
    const server = http.createServer((request, response) => { response.end('x'); server.close(); });
    server.listen(0, '127.0.0.1', () => http.get({ port: server.address().port, host: '127.0.0.1' }, (response) => { here('response'); response.resume(); }));
  } },
  served: { only: ['HTTPINCOMINGMESSAGE', 'TCPSERVERWRAP'], run() {
    const http = require('http');
    const server = http.createServer((request, response) => { here('request'); hook.disable(); response.end('x'); server.close(); });
    server.listen(0, '127.0.0.1', () => http.get({ port: server.address().port, host: '127.0.0.1' }, (response) => response.resume()));
  } },
  beforeTheEnd: { only: [], run() { process.once('beforeExit', () => here('before the end')); } },
  unhandled: { run() { process.once('unhandledRejection', () => here('unhandled')); setImmediate(() => { Promise.reject(1); }); } },
  unhandledInThen: { run() { process.once('unhandledRejection', () => here('unhandled')); Promise.resolve().then(() => { throw 1; }); } },
};

const [wanted] = process.argv.slice(2);
if (wanted === undefined) {
  console.log(Object.keys(cases).join('\n'));
} else {
  const chosen = cases[wanted];
  only = chosen.only;
  if (chosen.endsAnytime) ends = [];
  process.on('exit', () => { hook.disable(); console.log([...log, ...ends?.sort() ?? []].join('\n')); });
  // Destroyed resources are told of a little later. What takes longer on a busy machine is heard of all the same.
  setTimeout(() => {}, 1000);
  if (!chosen.without) hook.enable();
  (chosen.run ?? chosen)();
}
