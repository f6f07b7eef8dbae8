// The engine's messages in V8's words: people search for those. What failed is found in the program's text by
// the instruction that the engine was executing.
// Uses binding.argumentsOf, blame.
'use strict';

const { apply, getPrototypeOf, startsWith } = require('internal/kept');
const { functionOf, isOurs } = require('internal/stack');
const { setExact, setMessage } = require('internal/stack/frames');

// What the program was doing when the engine failed; without a text where only the act is known.
function failureIn(error, sites) {
  let index = 0;
  while (index < sites.length && sites[index].isNative()) index += 1;
  const site = sites[index];
  if (site === undefined || isOurs(site)) return {};
  const file = site.getFileName();
  if (typeof file !== 'string' || startsWith(file, 'node:lib/')) return {};
  const found = binding.blame(functionOf(site));
  if (found === undefined) return {};
  const [act, operands, text, form, property, line, column, markLine, markColumn] = found;
  if (line !== undefined) setExact(error, site, [line, column], [markLine, markColumn]);
  return { act, operands, text, form, property };
}

// The native that failed, if it was one.
const nativeIn = (sites) => (sites[0]?.isNative() ? sites[0] : undefined);
const givenTo = (native) => binding.argumentsOf(functionOf(native));

const toString = Object.prototype.toString;
const isPlainTag = /^\[object (?:Array|Date|RegExp|Error|Boolean|Number|String|Function|Arguments)\]$/;
// A value in a message.
function shown(value) {
  if (typeof value === 'function') return `${value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  const tag = apply(toString, value, []);
  if (isPlainTag.test(tag)) return tag;
  const made = constructorOf(value);
  return `#<${made === undefined || made === '' ? 'Object' : made}>`;
}

// Without running code of the program.
function constructorOf(value) {
  for (let object = value, depth = 0; object !== null && depth < 100; object = getPrototypeOf(object), depth += 1) {
    const own = Object.getOwnPropertyDescriptor(object, 'constructor');
    if (own === undefined) continue;
    const name = typeof own.value === 'function' ? Object.getOwnPropertyDescriptor(own.value, 'name')?.value : undefined;
    return typeof name === 'string' ? name : undefined;
  }
  return undefined;
}

// A value that cannot be iterated over.
function kindOf(value) {
  if (value === undefined) return 'undefined';
  if (value === null) return 'object null';
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : typeof value;
}

const NO_ITERATOR = 'is not iterable (cannot read property Symbol(Symbol.iterator))';

function notIterable({ act, operands, text, form }, sites) {
  const native = nativeIn(sites);
  if (native !== undefined) return `${kindOf(givenTo(native)[0])} ${NO_ITERATOR}`;
  const value = operands?.at(-1);
  if (act === 'spread' && form === 'argument') {
    return value === undefined || value === null ? `${text} is not iterable (cannot read property ${value})` : 'Spread syntax requires ...iterable[Symbol.iterator] to be a function';
  }
  if (act === 'iterate' || act === 'spread' || act === 'iterate async') {
    if (form === 'plain') return `${text} is not ${act === 'iterate async' ? 'async ' : ''}iterable`;
    if (form === 'call' || form === 'async call') return notCallable('function', text, form);
    return `${kindOf(value)} ${NO_ITERATOR}`;
  }
  return undefined;
}

function notCallable(what, text, form) {
  if (form === 'call') return `${text} is not a function or its return value is not iterable`;
  if (form === 'async call') return `${text} is not a function or its return value is not async iterable`;
  return `${text} is not a ${what}`;
}

// What natives call that they are given.
const callbacks = { __proto__: null, from: 1, replace: 1, replaceAll: 1, apply: 0, groupBy: 1 };

function notFunction(failure, sites, what) {
  const { act, text, form } = failure;
  const native = nativeIn(sites);
  if (native !== undefined) {
    const name = native.getFunctionName();
    const value = givenTo(native)[callbacks[name] ?? 0];
    if (name === 'Symbol') return 'Symbol is not a constructor';
    if (name === 'Promise') return `Promise resolver ${shown(value)} is not a function`;
    if (name === 'sort' || name === 'toSorted') return 'The comparison function must be either a function or undefined';
    return `${shown(value)} is not a ${what}`;
  }
  if (act === 'iterate async') return notIterable(failure, sites);
  if (text === undefined) return `(intermediate value) is not a ${act === 'new' ? 'constructor' : what}`;
  // The program makes an error of its own by that message.
  if (act === 'new' && /(?:^|\.)\w*Error$/.test(text)) return undefined;
  return notCallable(act === 'new' ? 'constructor' : what, text, form);
}

function readOf(failure, sites, [, how, name, of]) {
  if (name === 'Symbol.iterator' && how === 'read') {
    const said = notIterable(failure, sites);
    if (said !== undefined) return said;
  }
  const key = name === 'Symbol.asyncIterator' ? 'Symbol(Symbol.asyncIterator)' : name;
  return how === 'read' ? `Cannot read properties of ${of} (reading '${key}')` : `Cannot set properties of ${of} (setting '${key}')`;
}

function takenApart({ act, operands, text, form, property }) {
  if (act !== 'take apart' || form === undefined) return undefined;
  const value = operands[0] === null ? 'null' : 'undefined';
  if (form === 'inner') return `Cannot read properties of ${value} (reading '${property}')`;
  const of = form === 'passed' ? kindOf(operands[0]) : text;
  return property === undefined ? `Cannot destructure '${of}' as it is ${value}.` : `Cannot destructure property '${property}' of '${of}' as it is ${value}.`;
}

function readOnly({ act }, sites, [, name]) {
  if (act === 'put') return `Cannot assign to read only property '${name}' of object '#<Object>'`;
  if (nativeIn(sites) !== undefined) return `Cannot assign to read only property '${name}' of object`;
  return startsWith(name, '#') ? `Private method '${name}' is not writable` : 'Assignment to constant variable.';
}

function noPrivate({ form }, sites, [, name]) {
  return form === 'written' ? `Cannot write private member ${name} to an object whose class did not declare it` : `Cannot read private member ${name} from an object whose class did not declare it`;
}

function cannotSearch({ act, operands, text }) {
  const value = act === 'private in' ? operands?.[0] : operands?.at(-1);
  const key = act === 'private in' ? text : operands?.[0];
  return operands === undefined || operands.length === 0 ? "Cannot use 'in' operator to search for a key in a value that is no object" : `Cannot use 'in' operator to search for '${String(key)}' in ${String(value)}`;
}

// The frame of a class that was called is not shown.
function withoutFirst(error, sites) {
  const name = sites[0]?.getFunctionName() ?? '';
  sites.shift();
  failureIn(error, sites);
  return name;
}

const argument = (sites) => shown(nativeIn(sites) && givenTo(nativeIn(sites))[0]);

// What cannot be done to a value that is no object.
function notObject(failure, sites) {
  const native = nativeIn(sites);
  if (native === undefined) return undefined;
  const name = native.getFunctionName();
  const [first, second] = givenTo(native);
  if (name === 'Proxy') return 'Cannot create proxy with a non-object as target or handler';
  if (name === 'setPrototypeOf' && typeof first === 'object') return `Object prototype may only be an Object or null: ${shown(second)}`;
  if (name === 'defineProperty' && functionOf(native) === Object.defineProperty) return 'Object.defineProperty called on non-object';
  if (Reflect[name] === functionOf(native)) return `Reflect.${name} called on non-object`;
  if (/^(?:Map|WeakMap|fromEntries)$/.test(name) && Array.isArray(first)) {
    const entry = first.find((one) => (typeof one !== 'object' || one === null) && typeof one !== 'function');
    return `Iterator value ${shown(entry)} is not an entry object`;
  }
  return undefined;
}

// Where an object comes back to itself.
function circle(sites) {
  const said = 'Converting circular structure to JSON';
  const native = nativeIn(sites);
  const [start] = native === undefined ? [] : givenTo(native);
  const path = [];
  const seen = new Set();
  const find = (object, key) => {
    if (typeof object !== 'object' || object === null) return undefined;
    const again = path.findIndex((one) => one.object === object);
    if (again !== -1) return { path: path.slice(again), key };
    // What was looked through and had none has none.
    if (seen.has(object) || path.length > 1000) return undefined;
    seen.add(object);
    path.push({ object, key });
    for (const name of Object.keys(object)) {
      const own = Object.getOwnPropertyDescriptor(object, name);
      const found = own === undefined || !('value' in own) ? undefined : find(own.value, Array.isArray(object) ? `index ${name}` : `property '${name}'`);
      if (found !== undefined) return found;
    }
    path.pop();
    return undefined;
  };
  const found = find(start, '');
  if (found === undefined) return said;
  const of = (object) => `object with constructor '${constructorOf(object) ?? 'Object'}'`;
  const [first, ...rest] = found.path;
  const between = rest.map(({ object, key }) => `\n    |     ${key} -> ${of(object)}`);
  return `${said}\n    --> starting at ${of(first.object)}${between.join('')}\n    --- ${found.key} closes the circle`;
}

const digits = {
  __proto__: null,
  toFixed: 'toFixed() digits argument must be between 0 and 100',
  toPrecision: 'toPrecision() argument must be between 1 and 100',
  toExponential: 'toExponential() argument must be between 0 and 100',
};

// The engine's words, and what is said instead: a text, or what makes one of the failure, the frames and what
// the words were.
const words = [
  ['this is not initialized', "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"],
  [/^(.+) is not initialized$/s, (failure, sites, [, name]) => `Cannot access '${name}' before initialization`],
  [/^cannot (read|set) property '(.*)' of (undefined|null)$/s, readOf],
  [/^'(.+)' is read-only$/s, readOnly],
  ['object is not extensible', ({ act, property }) => (act === 'put' && property !== undefined ? `Cannot add property ${property}, object is not extensible` : 'object is not extensible')],
  ['cannot convert symbol to string', 'Cannot convert a Symbol value to a string'],
  ['cannot convert symbol to number', 'Cannot convert a Symbol value to a number'],
  ['cannot convert BigInt to number', ({ act }, sites) => (act === 'binary' && nativeIn(sites) === undefined ? 'Cannot mix BigInt and other types, use explicit conversions' : 'Cannot convert a BigInt value to a number')],
  ['invalid array length', 'Invalid array length'],
  ['circular reference', (failure, sites) => circle(sites)],
  ['BigInt are forbidden in JSON.stringify', 'Do not know how to serialize a BigInt'],
  ["invalid 'in' operand", cannotSearch],
  ["invalid 'instanceof' right operand", ({ operands }) => {
    const type = operands === undefined ? 'object' : typeof operands[1];
    return `Right-hand side of 'instanceof' is not ${type === 'object' && operands?.[1] !== null ? 'callable' : 'an object'}`;
  }],
  ["operand 'prototype' property is not an object", "Function has non-object prototype 'undefined' in instanceof check"],
  ['empty array', 'Reduce of empty array with no initial value'],
  ['invalid repeat count', (failure, sites) => `Invalid count value: ${String(nativeIn(sites) && givenTo(nativeIn(sites))[0])}`],
  ['invalid string length', 'Invalid string length'],
  ['value is not iterable', (failure, sites) => notIterable(failure, sites)],
  ['Cannot convert undefined or null to object', takenApart],
  [/^private class field '(.*)' does not exist$/s, noPrivate],
  ['invalid brand on object', ({ text }) => `Receiver must be an instance of class ${text === undefined || text === '' ? 'anonymous' : text}`],
  ['parent class must be constructor', ({ text }) => `Class extends value ${text ?? 'undefined'} is not a constructor or null`],
  // The engine says so of what stands after `new`, too.
  ['not a function', (failure, sites) => notFunction(failure, sites, 'function')],
  ['not a constructor', (failure, sites) => notFunction(failure, sites, 'constructor')],
  ["class constructors must be invoked with 'new'", (failure, sites, found, error) => `Class constructor ${withoutFirst(error, sites)} cannot be invoked without 'new'`],
  ['derived class constructor must return an object or undefined', (failure, sites, found, error) => {
    withoutFirst(error, sites);
    return 'Derived constructors may only return object or undefined';
  }],
  ["'this' can be initialized only once", 'Super constructor may only be called once'],
  ['bigint argument with unary +', 'Cannot convert a BigInt value to a number'],
  ['BigInt operands are forbidden for >>>', 'BigInts have no unsigned right shift, use >> instead'],
  ['BigInt division by zero', 'Division by zero'],
  ['cannot convert to BigInt: not an integer', (failure, sites) => `The number ${argument(sites)} cannot be converted to a BigInt because it is not an integer`],
  ['cannot convert to BigInt', (failure, sites) => (nativeIn(sites) === undefined ? undefined : `Cannot convert ${argument(sites)} to a BigInt`)],
  ['not an object', notObject],
  ['not a symbol', (failure, sites) => `${argument(sites)} is not a symbol`],
  ['object prototype may only be an Object or null', (failure, sites) => `Object prototype may only be an Object or null: ${argument(sites)}`],
  ['invalid value used as WeakMap key', 'Invalid value used as weak map key'],
  ['invalid value used as WeakSet key', 'Invalid value used in weak set'],
  ["regexp must have the 'g' flag", (failure, sites) => `String.prototype.${sites[0]?.getFunctionName()} called with a non-global RegExp argument`],
  ['regexp not supported', (failure, sites) => `First argument to String.prototype.${sites[0]?.getFunctionName()} must not be a regular expression`],
  ['null or undefined are forbidden', (failure, sites) => `String.prototype.${sites[0]?.getFunctionName()} called on null or undefined`],
  ['bad normalization form', 'The normalization form should be one of NFC, NFD, NFKC, NFKD.'],
  ['invalid code point', (failure, sites) => `Invalid code point ${argument(sites)}`],
  ['invalid array index', (failure, sites) => (nativeIn(sites)?.getFunctionName() === 'ArrayBuffer' ? 'Invalid array buffer length' : nativeIn(sites)?.getFunctionName().endsWith('Array') ? `Invalid typed array length: ${argument(sites)}` : undefined)],
  ['out of bound', (failure, sites) => (nativeIn(sites) === undefined ? undefined : 'Offset is outside the bounds of the DataView')],
  ['cannot invoke a running generator', 'Generator is already running'],
  ['could not delete property', ({ property }) => (property === undefined ? undefined : `Cannot delete property '${property}' of #<Object>`)],
  ['no setter for property', ({ act, property }) => (act === 'put' && property !== undefined ? `Cannot set property ${property} of #<Object> which has only a getter` : undefined)],
  ['must be called with new', (failure, sites) => (sites[0]?.getFunctionName() === 'Promise' ? "Promise constructor cannot be invoked without 'new'" : `Constructor ${sites[0]?.getFunctionName()} requires 'new'`)],
  ['invalid number of digits', (failure, sites) => digits[sites[0]?.getFunctionName()] ?? 'invalid number of digits'],
];

exports.reword = function reword(error, sites) {
  if (error instanceof URIError) {
    if (/^(?:expecting|malformed|invalid|unexpected)/.test(error.message)) setMessage(error, 'URI malformed');
    return;
  }
  const { message } = error;
  if (message === 'string too long' && error.name === 'InternalError') {
    Object.setPrototypeOf(error, RangeError.prototype);
    setMessage(error, 'Invalid string length');
    return;
  }
  if (error instanceof SyntaxError) {
    require('internal/stack/syntax').reword(error, sites);
    return;
  }
  for (const [theirs, ours] of words) {
    const found = typeof theirs === 'string' ? theirs === message : theirs.exec(message);
    if (found === false || found === null) continue;
    const failure = failureIn(error, sites);
    const said = typeof ours === 'string' ? ours : ours(failure, sites, found, error);
    if (said !== undefined) setMessage(error, said);
    return;
  }
};
