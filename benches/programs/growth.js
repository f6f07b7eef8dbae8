// What calls of the library cost with n and with 2n things in them: prints, as JSON, for each call the least
// processor time of some rounds for both, in milliseconds. `node growth.js [rounds] [text in a name]`
'use strict';

const { EventEmitter, setMaxListeners } = require('events');
const { OutgoingMessage } = require('http');
const { Readable, Writable } = require('stream');
const { receiveMessageOnPort, BroadcastChannel } = require('worker_threads');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const diagnostics = require('diagnostics_channel');
const readline = require('readline');

const rounds = Number(process.argv[2] ?? 3);
const wanted = process.argv[3] ?? '';
const times = (n, act) => { for (let i = 0; i < n; i++) act(i); };
let made = 0;
const functions = (n) => Array.from({ length: n }, () => () => {});
const mixed = (all) => all.map((one, i) => [i * 7919 % all.length, one]).sort(([a], [b]) => a - b).map(([, one]) => one);
const later = () => new Promise((resolve) => setImmediate(resolve));
EventEmitter.defaultMaxListeners = 0;

function manySignals() {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

const cases = {
  'abort listeners': (n) => { const c = manySignals(); times(n, () => c.signal.addEventListener('abort', () => {})); c.abort(); },
  'abort listeners, removed': (n) => {
    const { signal } = manySignals(); const all = functions(n);
    for (const f of all) signal.addEventListener('abort', f);
    for (const f of all) signal.removeEventListener('abort', f);
  },
  'listeners with one signal': (n) => {
    const c = manySignals(); const target = new EventTarget(); setMaxListeners(0, target);
    times(n, () => target.addEventListener('x', () => {}, { signal: c.signal })); c.abort();
  },
  'AbortSignal.any': (n) => {
    const c = manySignals(); const kept = [];
    times(n, () => { const one = AbortSignal.any([c.signal]); one.onabort = () => {}; kept.push(one); }); c.abort();
  },
  'emitter: on, emit': (n) => { const e = new EventEmitter(); times(n, () => e.on('x', () => {})); e.emit('x'); },
  'emitter: off, oldest first': (n) => { const e = new EventEmitter(); const all = functions(n); for (const f of all) e.on('x', f); for (const f of all) e.off('x', f); },
  'emitter: off, latest first': (n) => { const e = new EventEmitter(); const all = functions(n); for (const f of all) e.on('x', f); for (const f of all.reverse()) e.off('x', f); },
  'emitter: off, in any order': (n) => { const e = new EventEmitter(); const all = functions(n); for (const f of all) e.on('x', f); e.emit('x'); for (const f of mixed(all)) e.off('x', f); },
  'emitter: prependListener': (n) => { const e = new EventEmitter(); times(n, () => e.prependListener('x', () => {})); e.emit('x'); },
  'emitter: the latest of two ends': (n) => { const e = new EventEmitter(); const f = () => {}; times(n, (i) => (i % 2 ? e.on('x', f) : e.prependListener('x', f))); times(n, () => e.off('x', f)); },
  'emitter: once': (n) => { const e = new EventEmitter(); times(n, () => e.once('x', () => {})); e.emit('x'); },
  'event target: add, remove': (n) => { const t = new EventTarget(); setMaxListeners(0, t); const all = functions(n); for (const f of all) t.addEventListener('x', f); for (const f of mixed(all)) t.removeEventListener('x', f); },
  'event target: once': (n) => { const t = new EventTarget(); setMaxListeners(0, t); times(n, () => t.addEventListener('x', () => {}, { once: true })); t.dispatchEvent(new Event('x')); },
  'events.once of one signal': async (n) => {
    const c = manySignals(); const e = new EventEmitter(); const all = [];
    times(n, () => all.push(EventEmitter.once(e, 'x', { signal: c.signal }))); e.emit('x'); await Promise.all(all);
  },
  'setTimeout, clearTimeout': (n) => { const all = []; times(n, (i) => all.push(setTimeout(() => {}, 1000 + i % 9))); for (const one of all) clearTimeout(one); },
  'setImmediate, clearImmediate': (n) => { const all = []; times(n, () => all.push(setImmediate(() => {}))); for (const one of all) clearImmediate(one); },
  'nextTick': async (n) => { times(n, () => process.nextTick(() => {})); await later(); },
  'scheduler.postTask': async (n) => { if (globalThis.scheduler === undefined) return; const all = []; times(n, () => all.push(scheduler.postTask(() => {}))); await Promise.all(all); },
  'messages of a channel': (n) => { const { port1, port2 } = new MessageChannel(); times(n, (i) => port1.postMessage(i)); while (receiveMessageOnPort(port2) !== undefined); port1.close(); },
  'messages of a broadcast channel': (n) => { const a = new BroadcastChannel('x'); const b = new BroadcastChannel('x'); times(n / 4, (i) => a.postMessage(i)); while (receiveMessageOnPort(b) !== undefined); a.close(); b.close(); },
  'Readable: push, read': (n) => { const r = new Readable({ read() {} }); times(n, () => r.push('x')); while (r.read(1) !== null); },
  'Readable: unshift, read': (n) => { const r = new Readable({ read() {} }); times(n, () => r.unshift('x')); while (r.read(1) !== null); },
  'Writable: write': (n) => new Promise((resolve) => { const w = new Writable({ write(chunk, encoding, done) { setImmediate(done); }, writev(chunks, done) { done(); } }); times(n, () => w.write('x')); w.end(resolve); }),
  'web streams': async (n) => { let control; const stream = new ReadableStream({ start(c) { control = c; } }); times(n, (i) => control.enqueue(i)); control.close(); for await (const _ of stream); },
  'readline': async (n) => { const r = new Readable({ read() {} }); r.push('line\n'.repeat(n)); r.push(null); for await (const _ of readline.createInterface({ input: r })); },
  'URLSearchParams': (n) => { const p = new URLSearchParams(); times(n, (i) => p.append(`k${i}`, 'v')); times(n, (i) => p.get(`k${i}`)); times(n, (i) => p.set(`k${i}`, 'w')); },
  'URLSearchParams: delete of a name': (n) => { const p = new URLSearchParams(); times(n, (i) => p.append(i % 2 ? 'a' : 'b', 'v')); p.delete('a'); p.set('b', 'v'); },
  'URLSearchParams: each deleted': (n) => { const p = new URLSearchParams(); times(n, (i) => p.append(`k${i}`, 'v')); for (const [name] of p) p.delete(name); times(n / 2, (i) => p.delete(`k${2 * i + 1}`)); },
  'URLSearchParams: one name, each value': (n) => { const p = new URLSearchParams(); times(n, (i) => p.append('k', i)); times(n, (i) => p.has('k', i)); times(n, (i) => p.delete('k', i)); },
  'URLSearchParams: sort': (n) => { const p = new URLSearchParams(); times(n, (i) => p.append(`k${i * 7919 % n}`, 'v')); p.sort(); },
  'URLSearchParams of a URL': (n) => { const u = new URL('http://x/'); times(n, (i) => u.searchParams.append(`k${i}`, 'v')); return u.href; },
  'FormData: each deleted': (n) => { const f = new FormData(); times(n, (i) => f.append(`k${i}`, 'v')); for (const [name] of f) f.delete(name); times(n / 2, (i) => f.delete(`k${2 * i + 1}`)); },
  'Headers: each changed and deleted': (n) => { const h = new Headers(); times(n, (i) => h.append(`k${i}`, 'v')); for (const [name] of h) h.set(name, 'w'); for (const [name] of h) h.delete(name); },
  'headers of a message': (n) => { const m = new OutgoingMessage(); times(n, (i) => m.setHeader(`k${i}`, 'v')); times(n, () => m.appendHeader('k', 'v')); times(n, (i) => m.removeHeader(`k${i}`)); },
  'FormData': (n) => { const f = new FormData(); times(n, (i) => f.append(`k${i}`, 'v')); times(n, (i) => f.get(`k${i}`)); },
  'Headers': (n) => { const h = new Headers(); times(n, (i) => h.append(`k${i}`, 'v')); times(n, (i) => h.get(`k${i}`)); },
  'diagnostics channel': (n) => { const c = diagnostics.channel(`x${n}`); const all = functions(n); for (const f of all) c.subscribe(f); c.publish(1); for (const f of all) c.unsubscribe(f); },
  'diagnostics channels': (n) => times(n, () => diagnostics.channel(`c${++made}`)),
  'AsyncLocalStorage: run within run': (n) => { const als = new AsyncLocalStorage(); const go = (left) => als.run(left, () => { if (left > 0) go(left - 1); }); times(n / 40, () => go(40)); },
  'AsyncLocalStorage: many, enterWith': (n) => new AsyncResource('x').runInAsyncScope(() => times(n / 10, (i) => new AsyncLocalStorage().enterWith(i))),
  'AsyncLocalStorage: many, run': (n) => { const all = []; times(n / 10, (i) => { all.push(new AsyncLocalStorage()); all[i].enterWith(i); }); for (const one of all) one.run(1, () => one.getStore()); },
  'structuredClone of many': (n) => structuredClone(Array.from({ length: n }, (_, i) => ({ i }))),
  'Buffer.concat': (n) => { const all = []; times(n, () => all.push(Buffer.from('x'))); Buffer.concat(all); },
  'Buffer.indexOf of UTF-16': (n) => { const text = Buffer.from('a'.repeat(n), 'utf16le'); text.indexOf(`${'a'.repeat(n / 2)}b`, 0, 'utf16le'); text.lastIndexOf(`b${'a'.repeat(n / 2)}`, n * 2, 'utf16le'); },
  'performance entries by name': (n) => { times(n, (i) => { performance.mark(`m${i}`); performance.measure('x', `m${i}`); }); times(n, (i) => performance.getEntriesByName(`m${i}`)); times(n, (i) => performance.clearMarks(`m${i}`)); performance.clearMeasures(); },
  'performance entries': (n) => { times(n, (i) => performance.mark(`m${i}`)); performance.clearMarks(); },
};

async function spent(act, n) {
  const before = process.cpuUsage();
  await act(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function main() {
  const told = {};
  for (const [name, act] of Object.entries(cases)) {
    if (!name.includes(wanted)) continue;
    // As many as take a while, so that what is measured is not the clock.
    let n = 500;
    while (n < 256000 && await spent(act, n) < 50) n *= 2;
    const least = [Infinity, Infinity];
    for (let round = 0; round < rounds; round++) {
      least[0] = Math.min(least[0], await spent(act, n));
      least[1] = Math.min(least[1], await spent(act, 2 * n));
    }
    told[name] = { n, once: least[0], twice: least[1] };
  }
  console.log(JSON.stringify(told));
}
void main();
