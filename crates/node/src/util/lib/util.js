// node:util.
//
// From the binding: wallClock(), the time in milliseconds, for `log`.
'use strict';

const { debuglog } = require('internal/util/debuglog');
const { deprecate } = require('internal/util/deprecate');
const { promisify, callbackify } = require('internal/util/promisify');
const types = require('internal/util/types');
const { validateNumber } = require('internal/validators');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE },
  errnoException,
  exceptionWithHostPort,
} = require('internal/errors');

function _errnoException(...args) {
  checkErrno(args[0]);
  return errnoException(...args);
}

function _exceptionWithHostPort(...args) {
  return exceptionWithHostPort(...args);
}

// An error number is the negative number that the system call answered.
function checkErrno(err) {
  validateNumber(err, 'err');
  if (err >= 0 || !Number.isSafeInteger(err)) throw new ERR_OUT_OF_RANGE('err', 'a negative integer', err);
}

function getSystemErrorName(err) {
  checkErrno(err);
  return require('internal/uv_errors').errname(err);
}

function getSystemErrorMap() {
  return require('internal/uv_errors').errorMap();
}

function _extend(target, source) {
  if (source === null || typeof source !== 'object') return target;
  for (const key of Object.keys(source)) target[key] = source[key];
  return target;
}

function inherits(ctor, superCtor) {
  if (ctor === undefined || ctor === null) throw new ERR_INVALID_ARG_TYPE('ctor', 'Function', ctor);
  if (superCtor === undefined || superCtor === null) {
    throw new ERR_INVALID_ARG_TYPE('superCtor', 'Function', superCtor);
  }
  if (superCtor.prototype === undefined) {
    throw new ERR_INVALID_ARG_TYPE('superCtor.prototype', 'Object', superCtor.prototype);
  }
  Object.defineProperty(ctor, 'super_', {
    value: superCtor, writable: true, enumerable: false, configurable: true,
  });
  Object.setPrototypeOf(ctor.prototype, superCtor.prototype);
}

function isDeepStrictEqual(a, b) {
  return require('internal/util/comparisons').isDeepStrictEqual(a, b);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function log(...args) {
  const now = new Date(binding.wallClock());
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((number) => String(number).padStart(2, '0')).join(':');
  const stamp = `${now.getDate()} ${months[now.getMonth()]} ${time}`;
  require('console').log('%s - %s', stamp, require('internal/util/inspect').format(...args));
}

function styleText(format, text, options) {
  return require('internal/util/style_text').styleText(format, text, options);
}
// Node counts only the parameters without a default.
Object.defineProperty(styleText, 'length', { value: 2 });

function parseEnv(content) {
  return require('internal/util/dotenv').parseEnv(content);
}

function toUSVString(input) {
  return `${input}`.toWellFormed();
}

function isBuffer(value) {
  return require('buffer').Buffer.isBuffer(value);
}

// The questions of Node's first years.
function isBoolean(arg) { return typeof arg === 'boolean'; }
function isNull(arg) { return arg === null; }
function isNullOrUndefined(arg) { return arg === null || arg === undefined; }
function isNumber(arg) { return typeof arg === 'number'; }
function isString(arg) { return typeof arg === 'string'; }
function isSymbol(arg) { return typeof arg === 'symbol'; }
function isUndefined(arg) { return arg === undefined; }
function isObject(arg) { return arg !== null && typeof arg === 'object'; }
function isError(e) { return types.isNativeError(e) || e instanceof Error; }
function isFunction(arg) { return typeof arg === 'function'; }
function isPrimitive(arg) { return arg === null || (typeof arg !== 'object' && typeof arg !== 'function'); }

// Nothing crosses into another thread here, so a signal can stay what it is. Node makes a copy, which
// never learns when the original aborts.
function transferableAbortSignal(signal) {
  if (signal === null || typeof signal !== 'object' || typeof signal.aborted !== 'boolean') {
    throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  }
  return signal;
}

function transferableAbortController() {
  const { AbortController } = require('internal/abort_controller');
  return new AbortController();
}

// `undefined` keeps the place of what is loaded when first asked for.
module.exports = {
  _errnoException, _exceptionWithHostPort, _extend, callbackify, debug: debuglog, debuglog, deprecate,
  format: undefined, styleText, formatWithOptions: undefined, getSystemErrorMap, getSystemErrorName, inherits,
  inspect: undefined, isArray: Array.isArray, isBoolean, isBuffer, isDeepStrictEqual, isNull,
  isNullOrUndefined, isNumber, isString, isSymbol, isUndefined, isRegExp: types.isRegExp, isObject,
  isDate: types.isDate, isError, isFunction, isPrimitive, log, promisify, stripVTControlCharacters: undefined,
  toUSVString,
  get transferableAbortSignal() { return transferableAbortSignal; },
  get transferableAbortController() { return transferableAbortController; },
  get aborted() { return require('internal/util/aborted').aborted; },
  types, parseEnv, parseArgs: undefined, TextDecoder: undefined, TextEncoder: undefined, MIMEType: undefined,
  MIMEParams: undefined,
};

for (const [file, ...names] of [
  ['internal/util/inspect', 'format', 'formatWithOptions', 'inspect', 'stripVTControlCharacters'],
  ['internal/util/parse_args', 'parseArgs'],
  ['internal/encoding', 'TextDecoder', 'TextEncoder'],
  ['internal/mime', 'MIMEType', 'MIMEParams'],
]) {
  for (const name of names) defineLazily(module.exports, name, () => require(file)[name]);
}

// A property that becomes an ordinary one when it is first read or written.
function defineLazily(target, name, load) {
  const settle = (value) => {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(target, name, {
    get: () => settle(load()), set: settle, enumerable: true, configurable: true,
  });
}
