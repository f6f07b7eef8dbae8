// What the functions of child_process are called with, checked and made into what the world is asked.
// Uses binding.cwd.
'use strict';

const { codes } = require('internal/errors');
const { validateBoolean, validateObject, validateString, isInt32 } = require('internal/validators');

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE, ERR_UNKNOWN_SIGNAL } = codes;

function refuseNulls(text, name) {
  if (typeof text === 'string' && text.includes('\0')) {
    throw new ERR_INVALID_ARG_VALUE(name, text, 'must be a string without null bytes');
  }
}

function refuseNullsInAll(texts, name) {
  for (let at = 0; at < texts.length; at++) refuseNulls(texts[at], `${name}[${at}]`);
}

// The variables that the child gets, each with its name before it. Those that an object inherits count, too.
function variables(env) {
  const pairs = [];
  for (const name in env) {
    const value = env[name];
    if (value === undefined) continue;
    refuseNulls(name, `options.env['${name}']`);
    refuseNulls(value, `options.env['${name}']`);
    pairs.push(`${name}=${value}`);
  }
  return pairs;
}

/// The arguments after the file: a list and options, or options alone.
function splitArguments(args, options) {
  if (Array.isArray(args)) return [args.slice(), options];
  if (args === undefined || args === null) return [[], options];
  if (typeof args !== 'object') throw new ERR_INVALID_ARG_TYPE('args', 'object', args);
  return [[], args];
}

/// Checks what `spawn` and `spawnSync` are called with. Gives the options, with the file and the words that
/// the system gets.
function normalize(file, args, options) {
  validateString(file, 'file');
  refuseNulls(file, 'file');
  if (file.length === 0) throw new ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  [args, options] = splitArguments(args, options);
  refuseNullsInAll(args, 'args');
  if (options === undefined) options = {};
  else validateObject(options, 'options');
  options = { __proto__: null, ...options };

  let { cwd } = options;
  if (cwd !== undefined && cwd !== null) cwd = require('internal/fs/arguments').toPath(cwd, 'options.cwd');
  if (options.detached !== undefined && options.detached !== null) validateBoolean(options.detached, 'options.detached');
  for (const name of ['uid', 'gid']) {
    const id = options[name];
    if (id !== undefined && id !== null && !isInt32(id)) throw new ERR_INVALID_ARG_TYPE(`options.${name}`, 'int32', id);
  }
  const { shell, argv0 } = options;
  if (shell !== undefined && shell !== null && typeof shell !== 'boolean' && typeof shell !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('options.shell', ['boolean', 'string'], shell);
  }
  if (argv0 !== undefined && argv0 !== null) {
    validateString(argv0, 'options.argv0');
    refuseNulls(argv0, 'options.argv0');
  }
  for (const name of ['windowsHide', 'windowsVerbatimArguments']) {
    if (options[name] !== undefined && options[name] !== null) validateBoolean(options[name], `options.${name}`);
  }

  if (shell) {
    refuseNulls(shell, 'options.shell');
    args = ['-c', [file, ...args].join(' ')];
    file = typeof shell === 'string' ? shell : '/bin/sh';
  }
  args.unshift(typeof argv0 === 'string' ? argv0 : file);
  return {
    ...options, __proto__: null, args, cwd, detached: Boolean(options.detached), file,
    // A child knows no more of the environment than the program may.
    envPairs: variables(options.env || require('internal/process/env').inherited()),
  };
}

/// The directory that a child starts in; the program may be in another than the process.
function directory(cwd) {
  if (cwd === undefined || cwd === null || cwd.length === 0) return binding.cwd;
  return String(require('internal/fs/gate').absolute(cwd));
}

/// What the world is told about a child, whoever wants it.
function description(options, stdio) {
  const known = { file: options.file, args: options.args.map(String), env: options.envPairs, cwd: directory(options.cwd), stdio };
  if (options.detached) known.detached = true;
  for (const name of ['uid', 'gid']) if (typeof options[name] === 'number') known[name] = options[name];
  return known;
}

function checkTimeout(timeout) {
  if (timeout !== undefined && timeout !== null && !(Number.isInteger(timeout) && timeout >= 0)) {
    throw new ERR_OUT_OF_RANGE('timeout', 'an unsigned integer', timeout);
  }
}

function checkMaxBuffer(maxBuffer) {
  if (maxBuffer !== undefined && maxBuffer !== null && (typeof maxBuffer !== 'number' || !(maxBuffer >= 0))) {
    throw new ERR_OUT_OF_RANGE('options.maxBuffer', 'a positive number', maxBuffer);
  }
}

/// The number of a signal, given by its name or number.
function signalNumber(signal) {
  const signals = require('internal/signals');
  if (typeof signal === 'number') {
    for (const name in signals) if (signals[name] === signal) return signal;
  } else if (typeof signal === 'string') {
    const number = signals[signal.toUpperCase()];
    if (number !== undefined) return number;
  }
  throw new ERR_UNKNOWN_SIGNAL(typeof signal === 'object' ? require('internal/util/inspect').format('%s', signal) : signal);
}

/// The same where a program may leave it out.
function killSignal(signal) {
  if (typeof signal === 'string' || typeof signal === 'number') return signalNumber(signal);
  if (signal === undefined || signal === null) return undefined;
  throw new ERR_INVALID_ARG_TYPE('options.killSignal', ['string', 'number'], signal);
}

/// The name of a signal's number; null for none.
function signalName(number) {
  if (!number) return null;
  const signals = require('internal/signals');
  return Object.keys(signals).find((name) => signals[name] === number) ?? null;
}

/// The error for what the world says about a child that could not be started, or was not allowed.
function startFailure(fault, syscall, file, args) {
  const { errnoException, genericNodeError } = require('internal/errors');
  if (fault instanceof Error) return fault;
  if (fault.code === 'ERR_ACCESS_DENIED') return new codes.ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
  if (fault.code !== '') return genericNodeError(fault.message, { code: fault.code });
  return spawnError(errnoException(fault.errno, syscall), file, args);
}

function spawnError(error, file, args) {
  error.path = file;
  error.spawnargs = args;
  return error;
}

module.exports = {
  normalize, splitArguments, description, checkTimeout, checkMaxBuffer, signalNumber, killSignal, signalName,
  startFailure, spawnError, refuseNulls, refuseNullsInAll,
};
