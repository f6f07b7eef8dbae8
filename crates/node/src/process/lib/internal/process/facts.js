// What a program can learn about its process, and do to it.
// Uses binding.facts, usage, heapSizes, now, sendSignal, perform, realDirectory, queueMessage, exit, cwd,
// readFile, builtinName, env, writeStderr.
'use strict';

const process = require('internal/process');
const { codes, errnoException, uvException } = require('internal/errors');
const {
  parseFileMode, validateArray, validateNumber, validateObject, validateString, validateUint32,
} = require('internal/validators');

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE, ERR_UNKNOWN_SIGNAL } = codes;

let facts = binding.facts();

// Names as in the answer of binding.usage().
function usage() {
  const [resident, peak, available, user, system, minorFaults, majorFaults, waits, preemptions] = binding.usage();
  return { resident, peak, available, user, system, minorFaults, majorFaults, waits, preemptions };
}

function memoryUsage() {
  // The engine counts array buffers with everything else; outside are the library's own files.
  const [heapTotal, heapUsed, external] = binding.heapSizes();
  return { rss: usage().resident, heapTotal, heapUsed, external, arrayBuffers: 0 };
}
memoryUsage.rss = function rss() {
  return usage().resident;
};

function cpuUsage(prevValue) {
  if (prevValue !== undefined && prevValue !== null) {
    validateObject(prevValue, 'prevValue');
    for (const name of ['user', 'system']) {
      validateNumber(prevValue[name], `prevValue.${name}`);
      if (!(prevValue[name] >= 0 && prevValue[name] <= Number.MAX_SAFE_INTEGER)) {
        throw new ERR_INVALID_ARG_VALUE.RangeError(`prevValue.${name}`, prevValue[name]);
      }
    }
  }
  const { user, system } = usage();
  return { user: user - (prevValue?.user ?? 0), system: system - (prevValue?.system ?? 0) };
}

function resourceUsage() {
  const { user, system, peak, minorFaults, majorFaults, waits, preemptions } = usage();
  return {
    userCPUTime: user, systemCPUTime: system, maxRSS: peak / 1024, sharedMemorySize: 0, unsharedDataSize: 0,
    unsharedStackSize: 0, minorPageFault: minorFaults, majorPageFault: majorFaults, swappedOut: 0, fsRead: 0, fsWrite: 0,
    ipcSent: 0, ipcReceived: 0, signalsCount: 0, voluntaryContextSwitches: waits, involuntaryContextSwitches: preemptions,
  };
}

const nanoseconds = () => BigInt(Math.round(binding.now() * 1e3)) * 1000n;

function hrtime(time) {
  const now = nanoseconds();
  let seconds = Number(now / 1_000_000_000n);
  let rest = Number(now % 1_000_000_000n);
  if (time !== undefined) {
    validateArray(time, 'time');
    if (time.length !== 2) throw new ERR_OUT_OF_RANGE('time', 2, time.length);
    seconds -= time[0];
    rest -= time[1];
    if (rest < 0) {
      seconds -= 1;
      rest += 1e9;
    }
  }
  return [seconds, rest];
}
hrtime.bigint = function bigint() {
  return nanoseconds();
};

// Signals that a process without a handler survives; those that stop it are left to the system.
const harmless = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'];
const stopping = ['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU'];

// A signal to the program itself does not take the way through the system: it would end the process
// before what it has printed is out, and a simulated process has no system.
function signalSelf(number) {
  const signals = require('internal/signals');
  const name = Object.keys(signals).find((name) => signals[name] === number);
  if (name !== 'SIGKILL' && process._listens(name)) {
    require('internal/process/signals').within(name, () => binding.queueMessage(() => process.emit(name, name, number), 0, true));
  } else if (!harmless.includes(name)) {
    endBySignal(number);
  }
}

// Ends the process so that whoever started it sees by which signal. A simulated process has an exit code.
function endBySignal(number) {
  try {
    binding.perform('process.raise', [number]);
  } catch {
    // This world has no signals.
  }
  binding.exit(128 + number);
}

/// What the gate is asked for; throws the error for what is not allowed.
const allowed = (ask) => require('internal/process/permission').allowed(ask);

function kill(pid, signal) {
  // A number in a string will do.
  if (pid != (pid | 0)) throw new ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  let number = signal;
  if (typeof signal !== 'number') {
    signal ??= 'SIGTERM';
    number = require('internal/signals')[signal];
    if (number === undefined) throw new ERR_UNKNOWN_SIGNAL(signal);
  }
  // A program may see what is sent.
  const errno = process._kill(pid, number);
  if (errno) throw errnoException(errno, 'kill');
  return true;
}

// Sends a signal; gives zero, or why not.
function _kill(pid, number) {
  pid |= 0;
  number |= 0;
  const name = require('internal/signals');
  if (pid === facts.pid && number > 0 && number < 32 && !stopping.some((stop) => name[stop] === number)) {
    signalSelf(number);
    return 0;
  }
  // Others are at the mercy of who may start any program; the gate sees to that.
  return -allowed(() => binding.sendSignal(pid, number));
}

function umask(mask) {
  if (mask !== undefined) return binding.perform('fs.umask', [parseFileMode(mask, 'mask')]);
  // The system tells the mask only in exchange for another.
  const current = binding.perform('fs.umask', [0o22]);
  binding.perform('fs.umask', [current]);
  return current;
}

function chdir(directory) {
  validateString(directory, 'directory');
  const found = allowed(() => binding.realDirectory(require('path').resolve(directory)));
  if (typeof found === 'number') {
    throw uvException({ errno: -found, syscall: 'chdir', path: binding.cwd, dest: directory });
  }
  binding.cwd = found;
}

/// Makes the process another user's or another group's.
function become(what, ids) {
  const answer = binding.perform('system.identity', [what, ...ids]);
  if (typeof answer === 'number') {
    const { errname, errtext } = require('internal/uv_errors');
    const code = errname(-answer);
    const text = errtext(-answer) ?? 'unknown error';
    const message = `${code}, ${text[0].toUpperCase()}${text.slice(1)}`;
    throw Object.assign(new Error(message), { errno: answer, code, syscall: what });
  }
  if (Array.isArray(answer)) throw new codes.ERR_UNKNOWN_CREDENTIAL(...answer);
  facts = answer;
}

function checkId(id, name) {
  if (typeof id === 'number') validateUint32(id, name);
  else if (typeof id !== 'string') throw new ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
}

function byId(what) {
  return (id) => {
    checkId(id, 'id');
    // Zero has a sign in the language alone.
    become(what, [typeof id === 'number' ? id + 0 : id]);
  };
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  const ids = [...groups];
  ids.forEach((id, index) => checkId(id, `groups[${index}]`));
  become('setgroups', ids);
}

function initgroups(user, extraGroup) {
  checkId(user, 'user');
  checkId(extraGroup, 'extraGroup');
  become('initgroups', [user, extraGroup]);
}

function loadEnvFile(path = '.env') {
  validateString(path, 'path');
  const file = require('path').resolve(path);
  const text = binding.readFile(file);
  if (text === undefined && !binding.permits('fs.read', file)) {
    throw require('internal/process/permission').refused('fs.read', file);
  }
  if (text === undefined) throw uvException({ errno: -2, syscall: 'open', path });
  const variables = require('internal/util/dotenv').parseEnv(text);
  for (const name of Object.keys(variables)) process.env[name] ??= variables[name];
}

/// Native addons cannot be loaded; a file that is not there is told as such.
function dlopen(...args) {
  const [module, filename] = args;
  if (args.length < 2) throw Object.assign(new TypeError('process.dlopen needs at least 2 arguments'), { code: 'ERR_MISSING_ARGS' });
  if (Object(module).exports === undefined) throw new TypeError('Cannot convert undefined or null to object');
  const path = String(filename);
  const isThere = require('fs').existsSync(path);
  const why = isThere ? 'native addons cannot be loaded' : 'cannot open shared object file: No such file or directory';
  throw Object.assign(new Error(`${path}: ${why}`), { code: 'ERR_DLOPEN_FAILED' });
}

function getBuiltinModule(id) {
  validateString(id, 'id');
  const name = binding.builtinName(id);
  return name === undefined ? undefined : require(name.replace(/^node:/, '').replace(/^hemiola:/, 'hemiola/'));
}

const assert = require('internal/util/deprecate').deprecate(
  (value, message) => {
    if (!value) throw Object.assign(new codes.ERR_ASSERTION(message ?? 'assertion error'), { code: 'ERR_ASSERTION' });
  },
  'process.assert() is deprecated. Please use the `assert` module instead.', 'DEP0100');

module.exports = {
  pid: facts.pid, ppid: facts.ppid, endBySignal, memoryUsage, cpuUsage, resourceUsage, hrtime, kill, _kill, umask, chdir, loadEnvFile, getBuiltinModule, dlopen,
  assert,
  release: { name: 'node', lts: 'Iron' },
  features: {
    inspector: false, debug: false, uv: false, ipv6: true, tls_alpn: true, tls_sni: true, tls_ocsp: false, tls: true,
    get cached_builtins() { return true; },
    get require_module() { return !require('internal/flags').isOff('--experimental-require-module'); },
  },
  config: Object.freeze({ target_defaults: Object.freeze({}), variables: Object.freeze({ node_module_version: Number(process.versions.modules) }) }),
  constrainedMemory() { return 0; },
  availableMemory() { return usage().available; },
  getuid() { return facts.uid; },
  geteuid() { return facts.euid; },
  getgid() { return facts.gid; },
  getegid() { return facts.egid; },
  getgroups() { return facts.groups.includes(facts.egid) ? [...facts.groups] : [...facts.groups, facts.egid]; },
  // Node's have no names either.
  setuid: byId('setuid'), seteuid: byId('seteuid'), setgid: byId('setgid'), setegid: byId('setegid'),
  setgroups, initgroups,
  binding: (name) => require('internal/process/old_binding').get(name),
  _rawDebug(...args) { binding.writeStderr(`${require('internal/util/inspect').format(...args)}\n`); },
};
