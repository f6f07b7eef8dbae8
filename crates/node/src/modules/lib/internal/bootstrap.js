// The first library file that runs: it makes `require` for the others, sets up the globals, and gives
// the host the functions it calls. Everything that a plain program may do without is loaded when it is
// first asked for.
'use strict';

// Functions that are made here are called when the program may have replaced these.
const { Error, Object, String, TypeError } = globalThis;

const cache = { __proto__: null };
const { startFiles } = binding;
const { prototype: ofObjects, setPrototypeOf, defineProperty } = Object;

function requireLibrary(name) {
  const known = cache[name];
  if (known !== undefined) return known.exports;
  const body = startFiles[name] ?? binding.library(name);
  if (body === undefined) throw new Error(`there is no library file ${name}`);
  // A setter that the program gave to all objects would get what is put here.
  const exports = { __proto__: null };
  const module = { exports };
  cache[name] = module;
  try {
    body(exports, requireLibrary, module, binding);
  } catch (error) {
    delete cache[name];
    throw error;
  }
  if (module.exports === exports) setPrototypeOf(exports, ofObjects);
  return module.exports;
}

// A property of `target` that is computed when it is first read: by then the program may have replaced
// what defines properties, and must not get to see `binding`.
const accessor = { __proto__: null, configurable: true, enumerable: false, get: undefined, set: undefined };
function lazy(target, name, compute) {
  const settle = (value) => {
    // Whether it shows among the keys stays as it is by now.
    defineProperty(target, name, { __proto__: null, writable: true, value });
    return value;
  };
  accessor.get = () => settle(compute());
  accessor.set = settle;
  defineProperty(target, name, accessor);
}

function hidden(target, name, value) {
  defineProperty(target, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

const { apply } = requireLibrary('internal/kept');
requireLibrary('internal/stack').install();
const { endBatch } = requireLibrary('internal/context');

globalThis.global = globalThis;

const timers = requireLibrary('internal/timers');
const labelled = binding.timers === 'node' ? {} : timers.applicationTimers;
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']) {
  globalThis[name] = labelled[name] ?? timers[name];
}
if (binding.strategy === 'edge') {
  // Rule LOOP-5: this strategy has no immediates.
  delete globalThis.setImmediate;
  delete globalThis.clearImmediate;
}
// The engine has one that does not show.
delete globalThis.queueMicrotask;
globalThis.queueMicrotask = binding.queueMicrotask;
globalThis.fetch = function fetch(input, init = undefined) {
  return requireLibrary('internal/fetch/fetch').fetch(input, init);
};
// Rule TIME-13: physical time is told in whole milliseconds.
const { trunc } = Math;
hidden(globalThis, 'currentTime', (label) => {
  if (label === undefined) return trunc(binding.clockTime(undefined));
  const name = timers.toLabel(String(label));
  const owner = timers.ownerOf(name);
  return owner === undefined ? binding.clockTime(name) : owner.now();
});

const process = requireLibrary('internal/process');
binding.process = process;
hidden(globalThis, 'process', process);
const isOurs = (name) => Object.getOwnPropertyDescriptor(process, name)?.get?.isOwn === true;
const console = binding.makeConsole({}, () => isOurs('stdout') && isOurs('stderr'));
Object.defineProperty(console, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'console' });
hidden(globalThis, 'console', console);
binding.Atomics = Atomics;
binding.defineGlobals();

// What library files need and this one can give them in terms of others.
lazy(binding, 'env', () => requireLibrary('internal/process/variables').env);
lazy(binding, 'parentChannel', () => {
  if (binding.variable('NODE_CHANNEL_FD') === undefined) return undefined;
  return binding.variable('NODE_CHANNEL_SERIALIZATION_MODE') ?? 'json';
});
binding.getEnv = (name) => binding.env[name];
binding.pid = () => process.pid;
binding.reportException = (error) => {
  // Before a port takes its next message all ticks run, so that none of them waits for an error (rule LOOP-7).
  const { isTakingMessage } = binding;
  process.nextTick(() => {
    if (!isTakingMessage) throw error;
    requireLibrary('internal/uncaught').handle(error);
  });
};
binding.setExitCode = (code) => { process.exitCode = code; };
// node:test runs its tests when the program has nothing else left to do.
let finishTests;
binding.startTests = (finish) => { finishTests = finish; };
binding.setUnrefTimeout = (callback, delay, ...args) => timers.setTimeout(callback, delay, ...args).unref();

requireLibrary('internal/clock').install(globalThis);

// In English, and loaded when something is formatted.
lazy(globalThis, 'Intl', () => requireLibrary('internal/intl'));
for (const { prototype } of [Number, BigInt]) {
  const { valueOf } = prototype;
  hidden(prototype, 'toLocaleString', {
    toLocaleString(locales = undefined, options = undefined) {
      return requireLibrary('internal/intl/number').toLocale(apply(valueOf, this, []), locales, options);
    },
  }.toLocaleString);
}

// Texts of some length are split at regular expressions in a faster way.
const { exec, [Symbol.split]: splitSlowly } = RegExp.prototype;
const { slice } = String.prototype;
let splitting;
hidden(RegExp.prototype, Symbol.split, {
  [Symbol.split](text, limit) {
    if (limit === undefined && typeof text === 'string' && text.length >= 32) {
      splitting ??= requireLibrary('internal/split').make(exec, slice);
      const parts = splitting(this, text);
      if (parts !== undefined) return parts;
    }
    return apply(splitSlowly, this, [text, limit]);
  },
}[Symbol.split]);

// The engine has patterns in other words than the program, see internal/patterns.
const { get: sourceOf } = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source');
const { includes } = String.prototype;
Object.defineProperty(RegExp.prototype, 'source', {
  __proto__: null,
  get: Object.getOwnPropertyDescriptor({
    get source() {
      const source = apply(sourceOf, this, []);
      return apply(includes, source, ['\\u{000000']) ? requireLibrary('internal/patterns').written(source) : source;
    },
  }, 'source').get,
});

// The engine's do not tell the elements of locales and options.
const typedPrototype = Object.getPrototypeOf(Int8Array.prototype);
const typedLength = Object.getOwnPropertyDescriptor(typedPrototype, 'length').get;
for (const prototype of [Array.prototype, typedPrototype]) {
  const { toLocaleString: plainly } = prototype;
  hidden(prototype, 'toLocaleString', {
    toLocaleString(locales = undefined, options = undefined) {
      if (this === undefined || this === null || (locales === undefined && options === undefined)) return apply(plainly, this, []);
      const list = Object(this);
      const length = prototype === typedPrototype ? apply(typedLength, list, []) : trunc(list.length);
      return requireLibrary('internal/intl/elements').elementsToLocale(list, length, locales, options);
    },
  }.toLocaleString);
}

const { compareTexts } = binding;
hidden(String.prototype, 'localeCompare', {
  localeCompare(that, locales = undefined, options = undefined) {
    if (locales === undefined && options === undefined && typeof this === 'string' && typeof that === 'string') {
      return compareTexts(this, that);
    }
    if (this === undefined || this === null) {
      throw new TypeError('String.prototype.localeCompare called on null or undefined');
    }
    const { localeCompare } = requireLibrary('internal/intl/collator');
    return localeCompare(`${this}`, `${that}`, locales, options);
  },
}.localeCompare);

const { toLowerCase, toUpperCase } = String.prototype;
const checked = (value, name) => {
  if (value === undefined || value === null) throw new TypeError(`String.prototype.${name} called on null or undefined`);
  return `${value}`;
};
hidden(String.prototype, 'toLocaleLowerCase', {
  toLocaleLowerCase(locales = undefined) {
    const text = checked(this, 'toLocaleLowerCase');
    return locales === undefined ? apply(toLowerCase, text, []) : requireLibrary('internal/intl/casing').toLower(text, locales);
  },
}.toLocaleLowerCase);
hidden(String.prototype, 'toLocaleUpperCase', {
  toLocaleUpperCase(locales = undefined) {
    const text = checked(this, 'toLocaleUpperCase');
    return locales === undefined ? apply(toUpperCase, text, []) : requireLibrary('internal/intl/casing').toUpper(text, locales);
  },
}.toLocaleUpperCase);

exports.library = requireLibrary;
exports.main = () => {
  if (binding.flags.length > 0) requireLibrary('internal/flags/apply').apply();
  // Opens the channel: whoever sends a handle through it waits for an answer, although nobody listens here.
  if (binding.isForked) void process.channel;
  if (binding.clusterWorker) requireLibrary('cluster')._setupWorker();
  requireLibrary('internal/modules/main').run();
};
// What the native timers leave to the library.
binding.helpTimers(
  (callback) => requireLibrary('internal/validators').validateFunction(callback, 'callback'),
  timers.startSlowly,
  timers.clearByNumber,
  (error) => requireLibrary('internal/uncaught').handle(error),
);

exports.uncaught = (error) => requireLibrary('internal/uncaught').handle(error);
exports.beforeExit = () => {
  if (finishTests !== undefined) {
    const finish = finishTests;
    finishTests = undefined;
    finish();
    return;
  }
  binding.heard?.leave();
  binding.beforeExit?.();
  if (process._listens('beforeExit')) {
    binding.leaving = true;
    process.emit('beforeExit', process._code());
  }
};
// Whatever the program has put in its place.
const { _end: end } = process;
exports.endBatch = endBatch;
exports.stopped = (why, place) => requireLibrary('internal/uncaught').stopped(why, place);
exports.overran = (place, label, limit) => requireLibrary('internal/watchdog').overran(place, label, limit);
exports.endless = (label) => () => process.emitWarning(
  `The clock '${label}' had 1000 zero delays in a row; other callbacks have a turn after as many`, 'ClockWarning');
exports.exit = () => {
  binding.heard?.leave();
  requireLibrary('internal/modules/main').finish();
  end();
};
exports.afterTail = () => requireLibrary('internal/rejections').process();
