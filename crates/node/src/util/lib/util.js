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
  checkErrno(args[0]);
  return exceptionWithHostPort(...args);
}

function checkErrno(err) {
  validateNumber(err, 'err');
  if (!Number.isSafeInteger(err) || err >= 0) throw new ERR_OUT_OF_RANGE('err', 'a negative integer', err);
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
  const need = (value, name, type) => {
    if (value === undefined || value === null) throw new ERR_INVALID_ARG_TYPE(name, type, value);
  };
  need(ctor, 'ctor', 'Function');
  need(superCtor, 'superCtor', 'Function');
  const { prototype } = superCtor;
  if (prototype === undefined) throw new ERR_INVALID_ARG_TYPE('superCtor.prototype', 'Object', prototype);
  Object.defineProperty(ctor, 'super_', { __proto__: null, value: superCtor, writable: true, configurable: true });
  Object.setPrototypeOf(ctor.prototype, prototype);
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
const questions = {
  isArray: Array.isArray,
  isDate: types.isDate,
  isRegExp: types.isRegExp,
  isNull: (arg) => arg === null,
  isUndefined: (arg) => arg === undefined,
  isNullOrUndefined: (arg) => arg == null,
  isObject: (arg) => typeof arg === 'object' && arg !== null,
  isPrimitive: (arg) => Object(arg) !== arg,
  isError: (arg) => arg instanceof Error || types.isNativeError(arg),
};
for (const type of ['boolean', 'number', 'string', 'symbol', 'function']) {
  const name = `is${type[0].toUpperCase()}${type.slice(1)}`;
  questions[name] = { [name]: (arg) => typeof arg === type }[name];
}

// A signal stays what it is, and can be transferred as well. Node makes a copy, which never learns when the
// original aborts.
function transferableAbortSignal(signal) {
  if (signal === null || typeof signal !== 'object' || typeof signal.aborted !== 'boolean') {
    throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  }
  return require('internal/abort_transfer').markTransferable(signal);
}

function transferableAbortController() {
  const { AbortController } = require('internal/abort_controller');
  const controller = new AbortController();
  require('internal/abort_transfer').markTransferable(controller.signal);
  return controller;
}

// `undefined` keeps the place of the questions and of what is loaded when first asked for.
module.exports = {
  _errnoException, _exceptionWithHostPort, _extend, callbackify, debug: debuglog, debuglog, deprecate,
  format: undefined, styleText, formatWithOptions: undefined, getSystemErrorMap, getSystemErrorName, inherits,
  inspect: undefined, isArray: undefined, isBoolean: undefined, isBuffer, isDeepStrictEqual, isNull: undefined,
  isNullOrUndefined: undefined, isNumber: undefined, isString: undefined, isSymbol: undefined,
  isUndefined: undefined, isRegExp: undefined, isObject: undefined, isDate: undefined, isError: undefined,
  isFunction: undefined, isPrimitive: undefined, log, promisify, stripVTControlCharacters: undefined, toUSVString,
  get transferableAbortSignal() { return transferableAbortSignal; },
  get transferableAbortController() { return transferableAbortController; },
  get aborted() { return require('internal/util/aborted').aborted; },
  types, parseEnv, parseArgs: undefined, TextDecoder: undefined, TextEncoder: undefined, MIMEType: undefined,
  MIMEParams: undefined,
};

Object.assign(module.exports, questions);

for (const [file, names] of [
  ['internal/util/inspect', ['format', 'formatWithOptions', 'inspect', 'stripVTControlCharacters']],
  ['internal/util/parse_args', ['parseArgs']],
  ['internal/encoding', ['TextDecoder', 'TextEncoder']],
  ['internal/mime', ['MIMEType', 'MIMEParams']],
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
