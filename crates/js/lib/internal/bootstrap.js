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

hidden(globalThis, 'global', globalThis);

const timers = requireLibrary('timers');
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']) {
  globalThis[name] = timers.applicationTimers[name] ?? timers[name];
}
globalThis.queueMicrotask = binding.queueMicrotask;
hidden(globalThis, 'currentTime', (label) => binding.clockTime(label === undefined ? undefined : String(label)));

const process = requireLibrary('internal/process');
binding.process = process;
hidden(globalThis, 'process', process);
lazy(globalThis, 'console', () => requireLibrary('internal/console').createGlobalConsole(binding));
for (const [name, file] of [
  ['Buffer', 'buffer'], ['atob', 'buffer'], ['btoa', 'buffer'],
  ['URL', 'internal/url'], ['URLSearchParams', 'internal/url'],
  ['TextEncoder', 'internal/encoding'], ['TextDecoder', 'internal/encoding'],
  ['Event', 'internal/event_target'], ['EventTarget', 'internal/event_target'], ['CustomEvent', 'internal/event_target'],
  ['DOMException', 'internal/domexception'],
  ['AbortController', 'internal/abort_controller'], ['AbortSignal', 'internal/abort_controller'],
  ['structuredClone', 'internal/structured_clone'],
  ['MessageChannel', 'internal/messaging'], ['MessagePort', 'internal/messaging'], ['MessageEvent', 'internal/messaging'],
  ['BroadcastChannel', 'internal/messaging'],
]) {
  lazy(globalThis, name, () => requireLibrary(file)[name]);
}

// What library files need and this one can give them in terms of others.
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

requireLibrary('internal/clock').install(globalThis);

// What the native timers leave to the library.
binding.helpTimers(
  (callback) => requireLibrary('internal/validators').validateFunction(callback, 'callback'),
  binding.clearByNumber,
  (error) => requireLibrary('internal/uncaught').handle(error),
);

exports.main = () => requireLibrary('internal/modules').runMain();
exports.uncaught = (error) => requireLibrary('internal/uncaught').handle(error);
exports.beforeExit = () => {
  if (finishTests !== undefined) {
    const finish = finishTests;
    finishTests = undefined;
    finish();
    return;
  }
  if (process._listens('beforeExit')) process.emit('beforeExit', process.exitCode ?? 0);
};
// The real one, whatever the program has put in its place.
const { exit } = process;
exports.exit = () => exit();
exports.afterTail = () => requireLibrary('internal/rejections').process();
