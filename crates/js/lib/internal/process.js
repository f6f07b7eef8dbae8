// The process object. Its events are loaded when somebody listens.
'use strict';

const process = { __proto__: { constructor: function process() {} } };

process.title = 'hemiola';
process.version = 'v20.20.2';
process.versions = { node: '20.20.2', hemiola: '0.1.0', quickjs: '0.16.2' };
process.arch = 'x64';
process.platform = 'linux';
process.release = { name: 'node' };
process.argv = binding.argv;
process.argv0 = binding.argv[0];
process.execPath = binding.argv[0];
process.execArgv = [];
process.env = binding.env;
process.pid = 1;
process.ppid = 0;
process.exitCode = undefined;
process.features = {};
process.config = { variables: {} };

process.cwd = () => binding.cwd;
process.uptime = () => binding.now() / 1000;
process.hrtime = function hrtime(previous) {
  const nanos = BigInt(Math.round(binding.now() * 1e6));
  let seconds = Number(nanos / 1000000000n);
  let rest = Number(nanos % 1000000000n);
  if (previous !== undefined) {
    seconds -= previous[0];
    rest -= previous[1];
    if (rest < 0) {
      seconds -= 1;
      rest += 1e9;
    }
  }
  return [seconds, rest];
};
process.hrtime.bigint = () => BigInt(Math.round(binding.now() * 1e6));
process.umask = () => 0o22;
process.memoryUsage = () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 });
process.nextTick = binding.nextTick;

let exiting = false;
process.exit = function exit(code) {
  if (code !== undefined) process.exitCode = code;
  if (!exiting) {
    exiting = true;
    process._exiting = true;
    if (listens('exit')) process.emit('exit', process.exitCode ?? 0);
  }
  binding.exit(Number(process.exitCode ?? 0));
};
process.reallyExit = (code) => binding.exit(code ?? 0);
process.abort = () => binding.exit(134);

process.stdout = { write: (text) => { binding.writeStdout(String(text)); return true; }, isTTY: false, fd: 1 };
process.stderr = { write: (text) => { binding.writeStderr(String(text)); return true; }, isTTY: false, fd: 2 };

process.emitWarning = function emitWarning(warning, type, code) {
  if (typeof type === 'object' && type !== null) ({ type, code } = type);
  if (typeof warning === 'string') {
    const error = new Error(warning);
    error.name = type ?? 'Warning';
    if (code !== undefined) error.code = code;
    warning = error;
  }
  process.nextTick(() => {
    const shown = `(hemiola) ${warning.code ? `[${warning.code}] ` : ''}${warning.name}: ${warning.message}\n`;
    if (!listens('warning')) binding.writeStderr(shown);
    else process.emit('warning', warning);
  });
};
binding.emitWarning = process.emitWarning;

// Whether somebody listens to an event; false without loading the events.
let emitter = false;
function listens(event) {
  return emitter && process.listenerCount(event) > 0;
}
process._listens = listens;
Object.defineProperty(process, '_listens', { enumerable: false });

const inherited = Object.getPrototypeOf(process);
for (const name of [
  'on', 'once', 'off', 'emit', 'addListener', 'removeListener', 'removeAllListeners', 'listeners', 'listenerCount',
  'prependListener', 'prependOnceListener', 'eventNames', 'rawListeners', 'setMaxListeners', 'getMaxListeners',
]) {
  Object.defineProperty(inherited, name, {
    configurable: true,
    writable: true,
    value(...args) {
      const EventEmitter = require('events');
      for (const own of Object.getOwnPropertyNames(inherited)) if (own !== 'constructor') delete inherited[own];
      Object.setPrototypeOf(inherited, EventEmitter.prototype);
      EventEmitter.call(process);
      emitter = true;
      return process[name](...args);
    },
  });
}

module.exports = process;
