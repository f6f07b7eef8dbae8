// Checks of arguments, throwing Node's errors. Each takes the value and the name it has for the
// caller; `undefined` bounds do not bind.

// A program whose arguments are right never loads the errors.
const lazily = (code) => function(...args) { return new (require('internal/errors').codes[code])(...args); };

const ERR_INVALID_ARG_TYPE = lazily('ERR_INVALID_ARG_TYPE');
const ERR_INVALID_ARG_VALUE = lazily('ERR_INVALID_ARG_VALUE');
const ERR_OUT_OF_RANGE = lazily('ERR_OUT_OF_RANGE');
const ERR_SOCKET_BAD_PORT = lazily('ERR_SOCKET_BAD_PORT');

const isInt32 = (value) => value === (value | 0);

/// A file mode, given as a number or as octal digits; `def` if it is missing.
function parseFileMode(value, name, def) {
  value ??= def;
  if (typeof value === 'string') {
    if (!/^[0-7]+$/.test(value)) {
      throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a 32-bit unsigned integer or an octal string');
    }
    value = Number.parseInt(value, 8);
  }
  validateUint32(value, name);
  return value;
}

function validateType(value, name, type) {
  if (typeof value !== type) throw new ERR_INVALID_ARG_TYPE(name, type, value);
}

// What the three kinds of integers share.
function validateIntegerWithin(value, name, min, max) {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  validateType(value, name, 'number');
  throw new ERR_OUT_OF_RANGE(name, Number.isInteger(value) ? `>= ${min} && <= ${max}` : 'an integer', value);
}

function validateInteger(value, name, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  validateIntegerWithin(value, name, min, max);
}

function validateInt32(value, name, min = -2147483648, max = 2147483647) {
  validateIntegerWithin(value, name, min, max);
}

function validateUint32(value, name, positive = false) {
  validateIntegerWithin(value, name, positive ? 1 : 0, 4294967295);
}

function validateNumber(value, name, min = undefined, max = undefined) {
  validateType(value, name, 'number');
  if (value >= (min ?? -Infinity) && value <= (max ?? Infinity)) return;
  const bounds = [];
  if (min != null) bounds.push(`>= ${min}`);
  if (max != null) bounds.push(`<= ${max}`);
  // Without bounds even NaN will do.
  if (bounds.length > 0) throw new ERR_OUT_OF_RANGE(name, bounds.join(' && '), value);
}

function validateString(value, name) {
  validateType(value, name, 'string');
}

function validateBoolean(value, name) {
  validateType(value, name, 'boolean');
}

function validateOneOf(value, name, oneOf) {
  if (oneOf.includes(value)) return;
  const shown = oneOf.map((one) => (typeof one === 'string' ? `'${one}'` : String(one)));
  throw new ERR_INVALID_ARG_VALUE(name, value, `must be one of: ${shown.join(', ')}`);
}

function validateUnion(value, name, union) {
  if (union.includes(value)) return;
  throw new ERR_INVALID_ARG_TYPE(name, `('${union.join('|')}')`, value);
}

const kValidateObjectNone = 0;
const kValidateObjectAllowNullable = 1;
const kValidateObjectAllowArray = 2;
const kValidateObjectAllowFunction = 4;
const kValidateObjectAllowObjects = kValidateObjectAllowArray | kValidateObjectAllowFunction;
const kValidateObjectAllowObjectsAndNull = kValidateObjectAllowObjects | kValidateObjectAllowNullable;

/// A plain object; the flags let null, arrays and functions through as well.
function validateObject(value, name, flags = kValidateObjectNone) {
  let ok;
  if (value === null) ok = flags & kValidateObjectAllowNullable;
  else if (Array.isArray(value)) ok = flags & kValidateObjectAllowArray;
  else if (typeof value === 'function') ok = flags & kValidateObjectAllowFunction;
  else ok = typeof value === 'object';
  if (!ok) throw new ERR_INVALID_ARG_TYPE(name, 'Object', value);
}

/// What Web interfaces take for options: any object, or nothing.
function validateDictionary(value, name) {
  if (value != null && Object(value) !== value) throw new ERR_INVALID_ARG_TYPE(name, 'a dictionary', value);
}

function validateFunction(value, name) {
  validateType(value, name, 'function');
}

function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) throw new ERR_INVALID_ARG_TYPE(name, 'Array', value);
  if (value.length < minLength) throw new ERR_INVALID_ARG_VALUE(name, value, `must be longer than ${minLength}`);
}

/// An array whose elements pass a check, under a name with their index.
function validateEach(value, name, validate) {
  validateArray(value, name);
  // Holes count, too.
  for (const [i, one] of value.entries()) validate(one, `${name}[${i}]`);
}

function validateStringArray(value, name) {
  validateEach(value, name, validateString);
}

function validateBooleanArray(value, name) {
  validateEach(value, name, validateBoolean);
}

function validateAbortSignal(signal, name) {
  if (signal !== undefined) requireAbortSignal(signal, name);
}

/// A signal that must not be left out.
function requireAbortSignal(signal, name) {
  const isSignal = typeof signal === 'object' && signal !== null && 'aborted' in signal;
  if (!isSignal) throw new ERR_INVALID_ARG_TYPE(name, 'AbortSignal', signal);
}

function validateAbortSignalArray(value, name) {
  validateEach(value, name, requireAbortSignal);
}

function validateBuffer(value, name = 'buffer') {
  if (!ArrayBuffer.isView(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], value);
  }
}

/// Text written as hexadecimal digits comes in pairs.
function validateEncoding(data, encoding) {
  if (`${encoding}`.toLowerCase() === 'hex' && data.length % 2 !== 0) {
    throw new ERR_INVALID_ARG_VALUE('encoding', encoding, `is invalid for data of length ${data.length}`);
  }
}

/// A port as a number, from a number or digits.
function validatePort(port, name = 'Port', allowZero = true) {
  const valid = (typeof port === 'number' || (typeof port === 'string' && port.trim().length > 0)) &&
    +port === +port >>> 0 && port <= 0xffff && (port != 0 || allowZero);
  if (!valid) throw new ERR_SOCKET_BAD_PORT(name, port, allowZero);
  return port | 0;
}

// A link with its parameters: `<path>; rel=preload; as=style`.
const linkValue = /^(?:<[^>]*>)(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;

/// Links as one header: a string, or an array of them.
function validateLinkHeaderValue(hints) {
  const links = Array.isArray(hints) ? hints : [hints];
  for (const link of links) {
    if (typeof link === 'string' && linkValue.test(link)) continue;
    throw new ERR_INVALID_ARG_VALUE('hints', link, 'must be an array or string of format "</styles.css>; rel=preload; as=style"');
  }
  return links.join(', ');
}

module.exports = {
  isInt32, parseFileMode, requireAbortSignal,
  validateAbortSignal, validateAbortSignalArray, validateArray, validateBoolean, validateBooleanArray,
  validateBuffer, validateDictionary, validateEncoding, validateFunction, validateInt32,
  validateInteger, validateLinkHeaderValue, validateNumber, validateObject, validateOneOf, validatePort,
  validateString, validateStringArray, validateUint32, validateUnion,
  kValidateObjectAllowObjects, kValidateObjectAllowObjectsAndNull,
};
