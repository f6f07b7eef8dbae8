// Calls one public function of the library and tells what came of it. `TASK` is put before this text: what is to
// be called, and whether the whole library is loaded before. Without a call, all functions are called, one after
// the other, and the calls that show most are told. Nothing here loads a part of the library before the call.
'use strict';

const { apply, construct, ownKeys } = Reflect;

// What it may be given. Each is made anew for each call, and only for it.
const LISTS = [
  () => [], () => ['file.txt'], () => ['file.txt', 'utf8'], () => ['.'], () => ['file.txt', callback], () => ['.', callback],
  () => ['new', 'text'], () => ['new', 'text', callback], () => ['text', 'more'], () => [new Uint8Array([104, 105])],
  () => [new Uint8Array([104, 105]), callback], () => [5], () => [1, callback], () => [callback], () => [callback, 1], () => [['a', 'b']],
  () => [{ a: 1 }], () => [{ a: 1 }, { a: 1 }], () => ['sha256'], () => ['sha256', 'key'], () => ['key', 'salt', 1, 8, 'sha1'],
  () => ['key', 'salt', 8], () => ['key', 'salt', 1, 8, 'sha1', callback], () => ['http://localhost/'], () => ['localhost', callback],
  () => ['file:///a/b'], () => ['utf-8'], () => [new Error('x')], () => [new EventTarget(), 'a'], () => [/t/], () => [8, 0, 4],
  () => ['aes-128-cbc', new Uint8Array(16), new Uint8Array(16)], () => [{ read() { this.push('x'); this.push(null); } }],
  () => [3, 'text'], () => [(async () => 5)()], () => [1000n], () => [new Map()], () => ['a=1&b=2'],
];
// And the methods of what a class makes.
const METHODS = [
  () => [], () => ['text'], () => ['file.txt'], () => [callback], () => [1, 2], () => ['a', callback], () => [new Uint8Array([104, 105])],
];

// What would end this program or change what others see, and what draws or measures.
const LEFT = new RegExp([
  '^process\\.(exit|abort|reallyExit|kill|_|emit|binding|setUncaught|openStdin|stdin|stdout|stderr|chdir|umask|report|hrtime|uptime|cpuUsage|memoryUsage|resourceUsage)',
  '^(cluster|test|test/reporters|repl|inspector|domain|worker_threads|hemiola)\\b', '^module\\.', '^(sys|util)\\.(debuglog|debug)$', '^constants',
  '^events\\.(setMaxListeners|init)$', '^(console|assert/strict|path/|sys|_stream|_tls|_http)', '[Rr]andom|generateKey|generatePrime|UUID', '^os\\.', '^v8\\.', '^perf_hooks',
  '^http\\.(setMaxIdle|globalAgent)', '\\.(prototype|super_|constructor|caller|arguments|toJSON)$', '#(constructor|toString|valueOf)$', '^timers\\.(en|un)roll',
].join('|'));

// How long the rest of an outcome may take.
const WAIT = 50;
const told = [];
function callback(...args) { told.push(`callback(${args.map(kind).join(', ')})`); }

// What something is, without the library.
function kind(value) {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value === 'function') return 'function';
  if (typeof value === 'string') return value.length < 60 && !value.includes('/') ? JSON.stringify(value) : 'string';
  if (typeof value !== 'object') return typeof value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return '[Object: null prototype]';
  const name = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value?.name ?? 'an object';
  if (value instanceof Error) return `${name} ${value.code ?? ''} ${`${value.message}`.slice(0, 120)}`;
  return Array.isArray(value) ? `[${value.slice(0, 3).map(kind)}]` : name;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const isClass = (value) => typeof value.prototype === 'object' && value.prototype !== null &&
  (ownKeys(value.prototype).length > 1 || /^class\b/.test(`${value}`));

// A function by its path: a module or `globalThis`, names, and after `#` a method of what its class makes.
function find([module, ...names]) {
  let self;
  let value = module === 'globalThis' ? globalThis : require(module);
  for (const name of names) [self, value] = [value, value[name]];
  return [self, value];
}

async function outcome({ path, method, args: at, made }) {
  told.length = 0;
  const [self, target] = find(path);
  const args = LISTS[at]();
  let result;
  try {
    if (method !== undefined) {
      const object = construct(target, LISTS[made]());
      result = apply(object[method], object, METHODS[at]());
    } else {
      result = isClass(target) ? construct(target, args) : apply(target, self, args);
    }
    // The errors of streams and sockets come later.
    if (typeof result?.on === 'function') result.on('error', (error) => told.push(`error ${kind(error)}`));
    if (typeof result?.then === 'function') {
      result.then((value) => told.push(`resolved ${kind(value)}`), (error) => told.push(`rejected ${kind(error)}`));
    }
    told.unshift(kind(result));
  } catch (error) {
    told.unshift(`threw ${kind(error)}`);
  }
  await wait(WAIT);
  try {
    for (const name of ['unref', 'close', 'destroy']) if (path[0] !== 'process' && typeof result?.[name] === 'function') result[name]();
  } catch {}
  return told.join('; ');
}

function loadAll() {
  const { builtinModules } = require('module');
  for (const name of [...builtinModules, 'hemiola:clock', 'hemiola:context', 'hemiola:federation', 'hemiola:observe', 'hemiola:scheduler', 'hemiola:tasks']) {
    const exported = require(name);
    for (const key of Object.keys(exported)) void exported[key];
  }
  for (const key of ownKeys(globalThis)) void globalThis[key];
  return builtinModules;
}

function* functions(modules) {
  let known;
  const walk = function* (path, value, depth) {
    for (const name of ownKeys(value)) {
      if (typeof name === 'symbol') continue;
      const here = [...path, name];
      if (LEFT.test(here.join('.'))) continue;
      let inner;
      try { inner = value[name]; } catch { continue; }
      if (inner === null || !['object', 'function'].includes(typeof inner) || known.has(inner)) continue;
      known.add(inner);
      if (typeof inner === 'function') yield [here, inner];
      if (depth > 0 && inner !== globalThis) yield* walk(here, inner, depth - 1);
    }
  };
  for (const name of modules) {
    if (LEFT.test(name)) continue;
    const exported = require(name);
    // What two modules have is loaded by each of them.
    known = new Set([exported]);
    if (typeof exported === 'function') yield [[name], exported];
    yield* walk([name], exported, 1);
  }
  known = new Set();
  for (const name of ownKeys(globalThis)) {
    const value = globalThis[name];
    // Functions of this program cannot be configured.
    if (!Object.getOwnPropertyDescriptor(globalThis, name).configurable) continue;
    // The language is not ours.
    if (typeof value !== 'function' || known.has(value) || typeof name === 'symbol' || /^(Map|eval|Function|Proxy)$/.test(name)) continue;
    known.add(value);
    yield [['globalThis', name], value];
  }
}

// Of all calls of a function those that show most: two that go well, or one that does not.
async function telling(cases) {
  const good = new Map();
  let bad;
  for (const one of cases) {
    const seen = await outcome(one);
    if (/^threw|rejected|callback\(\w*Error/.test(seen)) bad ??= { ...one, outcome: seen };
    else if (!good.has(seen) && good.size < 2) good.set(seen, { ...one, outcome: seen });
    if (good.size === 2) break;
  }
  return good.size > 0 ? [...good.values()] : bad === undefined ? [] : [bad];
}

// The calls that are known to show something of a function; of a new one a few are tried, and all if none is known.
function callsOf(key, call, lists) {
  const known = TASK.known?.filter((one) => keyOf(one) === key) ?? [];
  if (known.length > 0) return known;
  return lists.map((_, args) => ({ ...call, args })).filter(({ args }) => !TASK.known || args % 6 === 0);
}
const keyOf = ({ path, method = '' }) => `${path.join('.')}#${method}`;

async function list() {
  const kept = [];
  process.on('uncaughtException', () => {});
  const modules = loadAll();
  for (const [path, value] of functions(modules)) {
    if (path.length === 1 && isClass(value) === false && path[0] !== 'assert') continue;
    const calls = await telling(callsOf(keyOf({ path }), { path }, LISTS));
    kept.push(...calls);
    if (!isClass(value) || calls.length === 0 || calls[0].outcome.startsWith('threw')) continue;
    const made = calls[0].args;
    for (let at = value.prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
      for (const method of ownKeys(at)) {
        if (typeof method === 'symbol' || method.startsWith('_') || LEFT.test(`${path.join('.')}#${method}`)) continue;
        if (typeof Object.getOwnPropertyDescriptor(at, method).value !== 'function' || methods.has(at[method])) continue;
        methods.add(at[method]);
        kept.push(...await telling(callsOf(keyOf({ path, method }), { path, made, method }, METHODS)));
      }
    }
  }
  for (const one of kept) console.log(`\nCASE ${JSON.stringify(one)}`);
  process.exit(0);
}
const methods = new Set();

async function main() {
  if (TASK.path === undefined) return list();
  if (TASK.loaded) loadAll();
  console.log(`\nOUTCOME ${await outcome(TASK)}`);
  process.exit(0);
}
void main();
