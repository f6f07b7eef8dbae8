// Calls every function of every module of the library with what would reach outside: paths, hosts, pids. Nothing
// is granted. Tells, as JSON in its last line, how many functions there were, how often the gate has refused, and
// what was seen of the outside.
'use strict';
const [, folder, port, pid, mark, size] = process.argv;
const { writeSync } = require('fs');
const { builtinModules } = require('module');

const counts = { modules: 0, functions: 0, calls: 0, refused: 0 };
const seen = new Set();
let current = '';

// Whatever comes out is looked at: the content of a file, its size, and where a link leads are known here.
function look(value, depth = 2) {
  if (value === null || value === undefined) return;
  if (value.code === 'ERR_ACCESS_DENIED') {
    counts.refused++;
    if (!value.permission || value.resource === undefined) seen.add(`${current}: a refusal that does not say of what`);
    return;
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (`${value}` === size) seen.add(`${current}: ${value}`);
  } else if (typeof value === 'string') {
    if (value.includes(mark)) seen.add(`${current}: ${value.slice(0, 100)}`);
  } else if (value instanceof Uint8Array) {
    if (value.length < 100_000 && Buffer.from(value).includes(mark)) seen.add(`${current}: bytes`);
  } else if (typeof value === 'object' && depth > 0) {
    for (const key of Object.keys(value).slice(0, 50)) {
      const own = Object.getOwnPropertyDescriptor(value, key);
      if (own !== undefined && 'value' in own) look(own.value, depth - 1);
    }
  }
}

const callback = function callback(...args) {
  for (const arg of args) look(arg);
};

function follow(result) {
  look(result);
  if (result === null || (typeof result !== 'object' && typeof result !== 'function')) return;
  const name = current;
  const later = (value) => { const before = current; current = name; look(value); current = before; };
  try {
    if (typeof result.then === 'function') result.then(later, later);
    if (typeof result.on === 'function') {
      for (const event of ['error', 'data', 'message', 'connect', 'listening', 'change', 'ready', 'open']) result.on(event, later);
    }
    if (typeof result[Symbol.asyncIterator] === 'function' && typeof result.next === 'function') result.next().then(later, later);
    if (typeof result.unref === 'function') result.unref();
  } catch (error) {
    look(error);
  }
}

const file = `${folder}/file`;
const place = { host: '127.0.0.1', hostname: '127.0.0.1', port: Number(port), path: file, family: 4 };
const url = `http://127.0.0.1:${port}/`;
const lists = () => [
  [], [file], [folder], [`${folder}/new`], [file, `${folder}/new`], [`${folder}/link/`, 1, 1], [file, callback], [file, 'x', callback],
  [file, 1, 1, callback], [file, 0o777], [file, `${folder}/new`, callback], [folder, { recursive: true, force: true }],
  [folder, { recursive: true }, callback], [new URL(`file://${file}`)], [Number(port), '127.0.0.1'], [place, callback], [url, callback],
  ['localhost', callback], ['127.0.0.1', Number(port), callback], [Number(pid), 19], [-Number(pid), 'SIGKILL'], ['/bin/ls', [folder]],
  [{ path: file, filename: file, file, store: `${folder}/new`, cwd: folder, url, args: [] }], [5, 0o600], [7, callback],
];

// Modules that only compute get a few of them.
const computing = /^(_stream|assert|async_hooks|buffer|constants|diagnostics_channel|path|perf_hooks|punycode|querystring|stream|string_decoder|sys|url|util)\b/;
const few = () => [[file], [file, callback], [place, callback], [url, `${folder}/new`], [Number(pid), 9], [5, callback]];

// What ends or stops the program, what it needs itself to go on and to tell, and what would look for a prime of as many
// bits as a port has numbers.
const left = /^process\.(exit|reallyExit|abort|_end|_settleAll|endBySignal|emit|once|on|addListener|prependListener|removeAllListeners|off|removeListener|setUncaughtExceptionCaptureCallback|stdout.*|stderr.*|stdin.*)$|\.(install|setFips|setFlagsFromString)$|^events\.|^console\.|^vm\.|^assert|^timers|^hemiola:clock\.spend$|^crypto\.(createDiffieHellman|DiffieHellman)$/;

const known = new Set();
function call(name, target, self) {
  if (left.test(name)) return;
  counts.functions++;
  const isClass = typeof target.prototype === 'object' && target.prototype !== null
    && (Object.getOwnPropertyNames(target.prototype).length > 1 || /^class\b/.test(Function.prototype.toString.call(target)));
  let made = 0;
  for (const args of computing.test(name) ? few() : lists()) {
    current = name;
    counts.calls++;
    try {
      follow(Reflect.apply(target, self, args));
    } catch (error) {
      look(error);
    }
    if (!isClass) continue;
    try {
      const instance = Reflect.construct(target, args);
      follow(instance);
      // A few of each kind are enough: methods are many.
      if (made++ < 1) methods(name, instance);
    } catch (error) {
      look(error);
    }
  }
}

function methods(name, instance) {
  for (let at = Object.getPrototypeOf(instance); at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    if (known.has(at)) break;
    known.add(at);
    for (const key of Reflect.ownKeys(at)) {
      const { value } = Object.getOwnPropertyDescriptor(at, key);
      if (typeof value === 'function' && key !== 'constructor') call(`${name}#${String(key)}`, value, instance);
    }
  }
}

function walk(name, value, depth) {
  if (value === null || !['object', 'function'].includes(typeof value) || known.has(value)) return;
  known.add(value);
  let keys = [];
  try {
    keys = Reflect.ownKeys(value);
  } catch (error) {
    look(error);
  }
  for (const key of keys) {
    let inner;
    try {
      inner = value[key];
    } catch (error) {
      look(error);
      continue;
    }
    const full = `${name}.${String(key)}`;
    if (typeof inner === 'function' && !known.has(inner)) {
      known.add(inner);
      call(full, inner, value);
    }
    if (depth > 0 && key !== 'prototype') walk(full, inner, depth - 1);
  }
}

const note = (error) => look(error);
process.on('uncaughtException', note);
process.on('unhandledRejection', note);
const own = ['hemiola:clock', 'hemiola:context', 'hemiola:observe', 'hemiola:scheduler', 'hemiola:tasks', 'node:test', 'node:test/reporters'];
const tell = { log: (text) => writeSync(1, `${text}\n`) };
const names = [...builtinModules, ...own].filter((name) => name !== 'process' && name !== 'module');
// The process and the loader come last: they change what the others do.
const all = [...names, 'process', 'module'].map((name) => {
  try {
    return [name, require(name)];
  } catch (error) {
    look(error);
    return [name, null];
  }
});
const globals = Object.fromEntries(['fetch', 'WebSocket', 'EventSource', 'Blob', 'File', 'FormData', 'Request', 'Response', 'BroadcastChannel', 'navigator']
  .filter((name) => name in globalThis).map((name) => [name, globalThis[name]]));
all.push(['globalThis', globals], ['require', { require, resolve: require.resolve, meta: (name) => import(name) }]);
// All that it has, also what comes when it is first asked for.
process._settleAll();
for (const [name, exported] of all) {
  counts.modules++;
  if (typeof exported === 'function' && !known.has(exported)) {
    known.add(exported);
    call(name, exported, undefined);
  }
  // A module that is a function has its own functions all the same.
  known.delete(exported);
  walk(name, exported, 1);
}
// What is answered later, is seen later.
let turns = 0;
(function wait() {
  if (turns++ < 40) return void setTimeout(wait, 5);
  tell.log(`\n${JSON.stringify({ ...counts, seen: [...seen].slice(0, 20) })}`);
  process.reallyExit?.(0);
  process.exit(0);
})();
