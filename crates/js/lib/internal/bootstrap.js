// The first library file that runs: it makes `require` for the others, sets up the globals, and gives
// the host the functions it calls. Everything that a plain program may do without is loaded when it is
// first asked for.
'use strict';

const cache = { __proto__: null };

function requireLibrary(name) {
  const known = cache[name];
  if (known !== undefined) return known.exports;
  const body = binding.library(name);
  if (body === undefined) throw new Error(`there is no library file ${name}`);
  const module = { exports: {} };
  cache[name] = module;
  try {
    body(module.exports, requireLibrary, module, binding);
  } catch (error) {
    delete cache[name];
    throw error;
  }
  return module.exports;
}

// A property of `target` that is computed when it is first read.
function lazy(target, name, compute, enumerable = false) {
  Object.defineProperty(target, name, {
    __proto__: null,
    configurable: true,
    enumerable,
    get() {
      const value = compute();
      Object.defineProperty(target, name, { __proto__: null, configurable: true, enumerable, writable: true, value });
      return value;
    },
    set(value) {
      Object.defineProperty(target, name, { __proto__: null, configurable: true, enumerable, writable: true, value });
    },
  });
}

function hidden(target, name, value) {
  Object.defineProperty(target, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

requireLibrary('internal/stack').install();

const timers = requireLibrary('timers');
const process = requireLibrary('internal/process');
binding.process = process;

// Globals in Node's order; those that the engine has of its own make place first.
for (const name of ['queueMicrotask', 'atob', 'btoa', 'DOMException']) delete globalThis[name];
lazy(globalThis, 'console', () => requireLibrary('internal/console').createGlobalConsole(
  binding, { stdout: () => process.stdout, stderr: () => process.stderr }));
hidden(globalThis, 'process', process);
globalThis.global = globalThis;
const timerFunction = (name) => { globalThis[name] = timers.applicationTimers[name] ?? timers[name]; };
timerFunction('clearImmediate');
timerFunction('setImmediate');
// Name, file, and whether it shows among the keys.
const globals = (rows) => {
  for (const [name, file, enumerable] of rows) lazy(globalThis, name, () => requireLibrary(file)[name], enumerable);
};
globals([
  ['Buffer', 'buffer'], ['URL', 'internal/url'], ['URLSearchParams', 'internal/url'],
  ['DOMException', 'internal/domexception'],
  ['AbortController', 'internal/abort_controller'], ['AbortSignal', 'internal/abort_controller'],
  ['Event', 'internal/event_target'], ['EventTarget', 'internal/event_target'],
  ['TextEncoder', 'internal/encoding'], ['TextDecoder', 'internal/encoding'],
]);
for (const name of ['clearInterval', 'clearTimeout', 'setInterval', 'setTimeout']) timerFunction(name);
globalThis.queueMicrotask = requireLibrary('internal/microtask').queueMicrotask;
globals([
  ['structuredClone', 'internal/structured_clone', true], ['atob', 'buffer', true], ['btoa', 'buffer', true],
  ['BroadcastChannel', 'internal/messaging'], ['MessageChannel', 'internal/messaging'],
  ['MessagePort', 'internal/messaging'], ['MessageEvent', 'internal/messaging'],
  ['Performance', 'internal/performance'], ['PerformanceEntry', 'internal/performance'],
  ['PerformanceMark', 'internal/performance'], ['PerformanceMeasure', 'internal/performance'],
  ['PerformanceObserver', 'internal/performance'], ['PerformanceObserverEntryList', 'internal/performance'],
]);
requireLibrary('internal/clock').install(globalThis);
globals([
  ['crypto', 'internal/crypto/webcrypto', true], ['Crypto', 'internal/crypto/webcrypto'],
  ['CryptoKey', 'internal/crypto/webcrypto'], ['SubtleCrypto', 'internal/crypto/webcrypto'],
  ['CustomEvent', 'internal/event_target'],
]);
hidden(globalThis, 'currentTime', (label) => binding.clockTime(label === undefined ? undefined : String(label)));

// What library files need and this one can give them in terms of others.
lazy(binding, 'env', () => binding.environment());
binding.getEnv = (name) => binding.env[name];
binding.pid = () => process.pid;
binding.reportException = (error) => process.nextTick(() => { throw error; });
binding.setExitCode = (code) => { process.exitCode = code; };
// node:test runs its tests when the program has nothing else left to do.
let finishTests;
binding.startTests = (finish) => { finishTests = finish; };
// Ports do not keep a program alive yet.
binding.holdLoop = () => {};
binding.setUnrefTimeout = (callback, delay) => timers.setTimeout(callback, delay).unref();

exports.main = () => requireLibrary('internal/modules').runMain();
exports.uncaught = (error) => requireLibrary('internal/uncaught').handle(error);
exports.beforeExit = () => {
  if (finishTests !== undefined) {
    const finish = finishTests;
    finishTests = undefined;
    finish();
    return;
  }
  if (process._listens('beforeExit')) process.emit('beforeExit', process._code());
};
// The real one, whatever the program has put in its place.
const { exit } = process;
exports.exit = () => exit();
exports.afterTail = () => requireLibrary('internal/rejections').process();
