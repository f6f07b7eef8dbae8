// The process object. What a plain program does not use is loaded when it is first asked for: events,
// streams, warnings, figures about the process.
// Uses binding.argv, argv0, execArgv, cwd, now, nextTick, exit.
'use strict';

const process = { __proto__: { constructor: function process() {} } };
const execArgv = binding.execArgv ??= [];

// A property that keeps its value, and shows it.
function fixed(target, name, value) {
  Object.defineProperty(target, name, { __proto__: null, configurable: false, enumerable: true, writable: false, value });
}

// Properties that are loaded from a file when one of them is first read.
function deferred(file, names) {
  for (const name of names) {
    const settle = (value) => {
      Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value });
      return value;
    };
    Object.defineProperty(process, name, {
      __proto__: null, configurable: true, enumerable: true, get: () => settle(require(file)[name]), set: settle,
    });
  }
}

fixed(process, 'version', 'v20.20.2');
process.versions = { __proto__: null };
for (const [name, version] of [
  ['node', '20.20.2'], ['hemiola', '0.1.0'], ['modules', '115'], ['quickjs', '0.16.2'], ['unicode', '17.0'],
]) fixed(process.versions, name, version);
Object.setPrototypeOf(process.versions, Object.prototype);
process.arch = 'x64';
process.platform = 'linux';
deferred('internal/process/facts', [
  'release', 'binding', '_getActiveRequests', '_getActiveHandles', 'getActiveResourcesInfo', 'config', 'features',
  'loadEnvFile', 'getBuiltinModule', 'cpuUsage', 'resourceUsage', 'memoryUsage', 'constrainedMemory', 'availableMemory',
  'kill', 'hrtime', 'getuid', 'geteuid', 'getgid', 'getegid', 'getgroups', 'umask', 'chdir', 'assert',
  'allowedNodeEnvironmentFlags', '_rawDebug',
]);
deferred('internal/uncaught', ['setUncaughtExceptionCaptureCallback', 'hasUncaughtExceptionCaptureCallback']);
process.domain = null;

let exitCode;
let exiting = false;
Object.defineProperty(process, '_exiting', {
  __proto__: null, configurable: true, enumerable: true, get: () => exiting, set: (value) => { exiting = value; },
});
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
  if (!exiting) {
    exiting = true;
    if (listens('exit')) process.emit('exit', process._code());
  }
  binding.exit(process._code());
};
process.reallyExit = (code) => binding.exit(code | 0);
process.abort = function abort() {
  binding.exit(134);
};
process.cwd = function cwd() {
  return binding.cwd;
};
process.uptime = function uptime() {
  return binding.now() / 1000;
};
process.nextTick = function nextTick(callback, ...args) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  binding.nextTick(callback, ...args);
};

process.emitWarning = function emitWarning(warning, type, code, ctor) {
  require('internal/process/warnings').emitWarning(warning, type, code, ctor);
};
binding.emitWarning = process.emitWarning;
for (const name of ['noDeprecation', 'throwDeprecation', 'traceDeprecation']) {
  if (execArgv.length > 0 && execArgv.includes(`--${name.replace('D', '-d')}`)) process[name] = true;
}
binding.noDeprecation = () => process.noDeprecation === true;

for (const name of ['stdout', 'stderr']) {
  Object.defineProperty(process, name, {
    __proto__: null, configurable: true, enumerable: true, get: () => require('internal/process/stdio')[name],
  });
}
Object.defineProperty(process, 'env', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    const { env } = require('internal/process/env');
    process.env = env;
    return env;
  },
  set(value) {
    Object.defineProperty(process, 'env', { __proto__: null, configurable: true, enumerable: true, writable: true, value });
  },
});

let title = 'hemiola';
Object.defineProperty(process, 'title', {
  __proto__: null, configurable: true, enumerable: true, get: () => title, set: (value) => { title = `${value}`; },
});
process.argv = binding.argv;
process.execArgv = [...execArgv];
for (const name of ['pid', 'ppid']) {
  Object.defineProperty(process, name, {
    __proto__: null, configurable: true, enumerable: true, get: () => require('internal/process/facts').facts[name], set() {},
  });
}
process.execPath = binding.argv[0];
process.debugPort = 9229;
process.argv0 = binding.argv0;
Object.defineProperty(process, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'process' });

// Whether somebody listens to an event; false without loading the events.
let emitter = false;
function listens(event) {
  return emitter && process.listenerCount(event) > 0;
}
process._listens = listens;
for (const name of ['_listens', '_code']) Object.defineProperty(process, name, { __proto__: null, enumerable: false });

const inherited = Object.getPrototypeOf(process);
for (const name of [
  'on', 'once', 'off', 'emit', 'addListener', 'removeListener', 'removeAllListeners', 'listeners', 'listenerCount',
  'prependListener', 'prependOnceListener', 'eventNames', 'rawListeners', 'setMaxListeners', 'getMaxListeners',
]) {
  Object.defineProperty(inherited, name, {
    __proto__: null,
    configurable: true,
    writable: true,
    value(...args) {
      const EventEmitter = require('events');
      for (const own of Object.getOwnPropertyNames(inherited)) if (own !== 'constructor') delete inherited[own];
      Object.setPrototypeOf(inherited, EventEmitter.prototype);
      EventEmitter.call(process);
      emitter = true;
      const { onWarning, isSilent } = require('internal/process/warnings');
      if (!isSilent()) process.on('warning', onWarning);
      return process[name](...args);
    },
  });
}

module.exports = process;
