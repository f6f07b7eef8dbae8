// What the functions of child_process are called with, checked and made into what the world is asked.
// Uses binding.cwd.
'use strict';

const { codes } = require('internal/errors');
const { validateBoolean, validateObject, validateString, isInt32 } = require('internal/validators');

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE, ERR_UNKNOWN_SIGNAL } = codes;

const isMissing = (value) => value === undefined || value === null;
const hasNull = (text) => typeof text === 'string' && text.includes('\0');

function refuseNulls(text, name) {
  if (hasNull(text)) throw new ERR_INVALID_ARG_VALUE(name, text, 'must be a string without null bytes');
}

function refuseNullsInAll(texts, name) {
  const at = Array.from(texts).findIndex(hasNull);
  if (at >= 0) refuseNulls(texts[at], `${name}[${at}]`);
}

/// A string that the system can take.
function checkText(text, name) {
  validateString(text, name);
  refuseNulls(text, name);
}

// The variables that the child gets, each with its name before it (rule CHILD-3).
function variables(env) {
  const pairs = [];
  // Those that an object inherits count, too.
  for (const name in env) {
    const value = env[name];
    if (value === undefined) continue;
    for (const text of [name, value]) refuseNulls(text, `options.env['${name}']`);
    pairs.push(`${name}=${value}`);
  }
  return pairs;
}

// What says where coverage is written goes to every child, unless its variables say otherwise.
const OF_COVERAGE = ['NODE_V8_COVERAGE', 'HEMIOLA_COVERAGE'];
function covered(env, own) {
  const missing = OF_COVERAGE.filter((name) => name in own && !(name in env));
  if (missing.length === 0) return env;
  const added = { __proto__: env };
  for (const name of missing) added[name] = own[name];
  return added;
}

/// The arguments after the file: a list and options, or options alone.
function splitArguments(args, options) {
  if (isMissing(args)) return [[], options];
  if (typeof args !== 'object') throw new ERR_INVALID_ARG_TYPE('args', 'object', args);
  return Array.isArray(args) ? [[...args], options] : [[], args];
}

function checkId(id, name) {
  if (!isInt32(id)) throw new ERR_INVALID_ARG_TYPE(name, 'int32', id);
}

function checkShell(shell, name) {
  if (!['boolean', 'string'].includes(typeof shell)) throw new ERR_INVALID_ARG_TYPE(name, ['boolean', 'string'], shell);
}

// The options that are checked, in the order of rule CHILD-1.
const checks = Object.entries({
  cwd: (cwd, name) => require('internal/fs/arguments').toPath(cwd, name),
  detached: validateBoolean,
  uid: checkId,
  gid: checkId,
  shell: checkShell,
  argv0: checkText,
  windowsHide: validateBoolean,
  windowsVerbatimArguments: validateBoolean,
});

/// Checks what `spawn` and `spawnSync` are called with. Gives the options, with the file and the words that
/// the system gets.
function normalize(file, args, options) {
  checkText(file, 'file');
  if (file === '') throw new ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  const [words, given = {}] = splitArguments(args, options);
  refuseNullsInAll(words, 'args');
  validateObject(given, 'options');
  const settings = { __proto__: null, ...given };
  for (const [name, check] of checks) {
    if (!isMissing(settings[name])) settings[name] = check(settings[name], `options.${name}`) ?? settings[name];
  }
  refuseNulls(settings.shell, 'options.shell');
  settings.detached = Boolean(settings.detached);
  // A child knows no more of the environment than the program may.
  const { inherited } = require('internal/process/env');
  settings.envPairs = variables(settings.env ? covered(settings.env, inherited()) : inherited());
  return Object.assign(settings, command(file, words, settings));
}

/// The file that the system starts, and its words, of which the first is its name (rule CHILD-2).
function command(file, words, { shell, argv0 }) {
  if (!shell) return { file, args: [argv0 ?? file, ...words] };
  const program = shell === true ? '/bin/sh' : shell;
  return { file: program, args: [argv0 ?? program, '-c', [file, ...words].join(' ')] };
}

/// The directory that a child starts in; the program may be in another than the process.
function directory(cwd) {
  // A program whose own directory is gone has no path for it, and its children are there as well.
  if (isMissing(cwd) || cwd.length === 0) return binding.cwd || undefined;
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
  if (isMissing(timeout) || (Number.isInteger(timeout) && timeout >= 0)) return;
  throw new ERR_OUT_OF_RANGE('timeout', 'an unsigned integer', timeout);
}

function checkMaxBuffer(maxBuffer) {
  if (isMissing(maxBuffer) || (typeof maxBuffer === 'number' && maxBuffer >= 0)) return;
  throw new ERR_OUT_OF_RANGE('options.maxBuffer', 'a positive number', maxBuffer);
}

/// The number of a signal, given by its name or number.
function signalNumber(signal) {
  const signals = require('internal/signals');
  if (typeof signal === 'number' && Object.values(signals).includes(signal)) return signal;
  const number = typeof signal === 'string' ? signals[signal.toUpperCase()] : undefined;
  if (number !== undefined) return number;
  throw new ERR_UNKNOWN_SIGNAL(typeof signal === 'object' ? require('internal/util/inspect').format('%s', signal) : signal);
}

/// The same where a program may leave it out.
function killSignal(signal) {
  if (isMissing(signal)) return undefined;
  if (typeof signal === 'string' || typeof signal === 'number') return signalNumber(signal);
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
  const { genericNodeError } = require('internal/errors');
  if (fault instanceof Error) return fault;
  if (fault.code === 'ERR_ACCESS_DENIED') return new codes.ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
  if (fault.code !== '' && !fault.errno) return genericNodeError(fault.message, { code: fault.code });
  return spawnError(systemFailure(fault, syscall), file, args);
}

/// The error for a number of the system, with what the world has to say about it in words.
function systemFailure({ errno, message }, syscall) {
  return require('internal/errors').errnoException(errno, syscall, message && `(${message})`);
}

function spawnError(error, file, args) {
  error.path = file;
  error.spawnargs = args;
  return error;
}

module.exports = {
  normalize, splitArguments, description, checkTimeout, checkMaxBuffer, signalNumber, killSignal, signalName,
  startFailure, systemFailure, spawnError, isMissing, checkText, refuseNulls, refuseNullsInAll,
};
