// The process object. What a plain program does not use is loaded when it is first asked for: events,
// streams, the environment, warnings, figures about the process.
// Uses binding.about, argv, argv0, execArgv, flags, cwd, ownCwd, now, nextTickOfProgram, exit, setExit.
'use strict';

const named = { process: function() {} }.process;
Object.defineProperty(named.prototype, 'constructor', { __proto__: null, configurable: true, enumerable: false, value: named, writable: true });
const process = { __proto__: named.prototype };
const execArgv = binding.execArgv ??= [];
const flags = binding.flags ??= [];

// Marks a getter as ours: the console tells by it whether a program has put a stream of its own there.
function own(get) {
  get.isOwn = true;
  return get;
}

// The end of the prototype chain sees every property that is not there. An accessor for each of those
// that come late would cost a start more than all the rest of this file.
const last = {};
// Who has the late properties, and makes the process one that emits events; once somebody has asked for one.
let parts;
const late = () => parts ??= require('internal/process/late').make(process, last, own);
Object.setPrototypeOf(Object.getPrototypeOf(process), new Proxy(last, {
  get: (target, name, receiver) => late().get(target, name, receiver),
  has: (target, name) => late().has(target, name),
  getPrototypeOf(target) {
    late().becomeEmitter();
    return Object.getPrototypeOf(target);
  },
}));

const { arch, versions } = binding.about();
// None of them changes; a program may add its own, and take away what it likes.
for (const name of Object.keys(versions)) {
  Object.defineProperty(versions, name, { __proto__: null, writable: false });
}
for (const [name, value] of [
  ['version', `v${versions.node}`],
  ['versions', versions],
  ['arch', arch],
  ['platform', 'linux'],
]) {
  Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, value });
}
process.domain = null;

let exitCode;
process._exiting = false;
Object.defineProperty(process, 'exitCode', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  get: () => exitCode,
  set(code) {
    if (code !== null && code !== undefined) {
      const number = typeof code === 'string' && code !== '' ? Number(code) : code;
      require('internal/validators').validateInteger(Number.isNaN(number) ? code : number, 'code');
    }
    exitCode = code;
  },
});
// What the system is told: a whole number.
process._code = () => Number(exitCode ?? 0) | 0;

process.exit = function exit(code) {
  if (arguments.length > 0) process.exitCode = code;
  if (!process._exiting) announceExit();
  process.reallyExit(process._code());
};
// The end of a program that has nothing left to do: nobody has asked for it, and nobody can change it.
// Called last of all: nothing of the program is left that would have to be cut off.
// It is told once more where `process.exit` did not come to its end, as a listener has thrown.
process._end = () => {
  binding.loopIsOver = true;
  announceExit();
  binding.setExit(process._code());
};
function announceExit() {
  process._exiting = true;
  if (listens('exit')) process.emit('exit', process._code());
}
process.reallyExit = (code) => binding.exit(code | 0);
process.abort = {
  abort() { require('internal/process/facts').endBySignal(6); },
}.abort;
// What takes errors that nobody caught; a program without it ends at once.
process._fatalException = (error) => {
  require('internal/uncaught').handle(error);
  return true;
};
process.cwd = function cwd() {
  // Where the program was started there is no directory any more.
  if (binding.cwd === '') throw require('internal/errors').systemError({ code: 'ENOENT', syscall: 'uv_cwd' });
  return binding.cwd;
};
binding.ownCwd = process.cwd;
process.uptime = function uptime() {
  return (binding.now() - binding.born) / 1000;
};
process.nextTick = binding.nextTickOfProgram;

process.emitWarning = function emitWarning(warning, type, code, ctor) {
  require('internal/process/warnings').emitWarning(warning, type, code, ctor);
};
binding.emitWarning = process.emitWarning;
if (flags.length > 0) {
  for (const name of ['noDeprecation', 'throwDeprecation', 'traceDeprecation']) {
    if (flags.includes(`--${name.replace('D', '-d')}`)) process[name] = true;
  }
}
binding.noDeprecation = () => process.noDeprecation === true;

// These show among the keys before they are loaded: programs copy them with the rest.
for (const name of ['env', 'stdout', 'stderr', 'stdin']) {
  const get = own(() => {
    late().settle(name);
    return process[name];
  });
  const set = name === 'env'
    ? (value) => Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value })
    : undefined;
  Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, get, set });
}

let title = binding.argv0;
Object.defineProperty(process, 'title', {
  __proto__: null, configurable: true, enumerable: true, get: () => title,
  set(value) {
    // As the system sees it.
    [title] = `${value}`.split('\0', 1);
    binding.perform('system.title', [title]);
  },
});
process.argv = binding.argv;
process.execArgv = [...execArgv];
process.execPath = binding.argv[0];
process.debugPort = 9229;
process.argv0 = binding.argv0;
const { text, isWorker, isPrompt } = binding.entry;
if (text !== undefined && !isWorker && !isPrompt) {
  Object.defineProperty(process, '_eval', { __proto__: null, configurable: true, enumerable: true, value: text });
}
Object.defineProperty(process, Symbol.toStringTag, { __proto__: null, writable: true, value: 'process' });

// Whether somebody listens to an event, or has put an `emit` of their own in the way; false without
// loading the events.
function listens(event) {
  return Object.hasOwn(process, 'emit') || (parts !== undefined && parts.isEmitter() && process.listenerCount(event) > 0);
}
process._listens = listens;
process._settleAll = () => late().settleAll();
for (const name of ['_listens', '_code', '_end', '_settleAll']) Object.defineProperty(process, name, { __proto__: null, enumerable: false });

module.exports = process;
