// The engine's messages in V8's words: people search for those. What failed is found in the program's text by
// the instruction that the engine was executing.
// Uses binding.argumentsOf, blame, sourcePlace, sourceText.
'use strict';

const { apply, getPrototypeOf, startsWith } = require('internal/kept');
const { kExecuted, kReceivers } = require('internal/stack');
const { functionOf, isOurs, isTop } = require('internal/stack/noting');
const { lineOf, setExact, setMessage } = require('internal/stack/frames');

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

// What the innermost function was called on, as far as that is known.
const receiverIn = (sites) => sites[kReceivers]?.[0];

const toString = Object.prototype.toString;
const isPlainTag = /^\[object (?:Array|Date|RegExp|Error|Boolean|Number|String|Function|Arguments)\]$/;
// A value in a message.
function shown(value) {
  if (typeof value === 'function') return `${value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  const tag = apply(toString, value, []);
  if (isPlainTag.test(tag)) return tag;
  const made = constructorOf(value);
  return made === undefined ? tag : `#<${made === '' ? 'Object' : made}>`;
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
  if (native !== undefined) {
    const [given] = givenTo(native);
    return native.getFunctionName() === 'fromEntries' && (given ?? null) === null ? `${given} is not iterable` : `${kindOf(given)} ${NO_ITERATOR}`;
  }
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

// What an operator was to call, if it is one that calls something of its operands.
function hookOf({ act, operands }) {
  if (act !== 'instanceof' && act !== 'binary' && act !== 'unary') return undefined;
  const key = act === 'instanceof' ? Symbol.hasInstance : Symbol.toPrimitive;
  for (const operand of act === 'instanceof' ? [operands?.[1]] : operands ?? []) {
    const hook = Object(operand) === operand ? Object.getOwnPropertyDescriptor(operand, key)?.value : undefined;
    if (hook !== undefined && typeof hook !== 'function') return hook;
  }
  return undefined;
}

// What was asked of a proxy, by the name of the trap.
function trapOf({ act }, sites) {
  const name = nativeIn(sites)?.getFunctionName();
  if (name !== undefined) return traps[name] ?? (Reflect[name] === undefined ? 'get' : name);
  return traps[act] ?? 'get';
}
const traps = {
  __proto__: null, put: 'set', delete: 'deleteProperty', in: 'has', call: 'apply', new: 'construct', keys: 'ownKeys', values: 'ownKeys', entries: 'ownKeys',
  getOwnPropertyNames: 'ownKeys', getOwnPropertySymbols: 'ownKeys', hasOwn: 'getOwnPropertyDescriptor', hasOwnProperty: 'getOwnPropertyDescriptor',
};

// What natives call that they are given.
const callbacks = { __proto__: null, from: 1, replace: 1, replaceAll: 1, apply: 0, groupBy: 1 };

function notFunction(failure, sites, what) {
  const { act, text, form } = failure;
  const native = nativeIn(sites);
  if (native !== undefined) {
    const name = native.getFunctionName();
    const value = givenTo(native)[callbacks[name] ?? 0];
    if (name === 'bind') return 'Bind must be called on a function';
    if (name === 'FinalizationRegistry') return 'FinalizationRegistry: cleanup must be callable';
    if (name === 'Symbol') return 'Symbol is not a constructor';
    if (name === 'Promise') return `Promise resolver ${shown(value)} is not a function`;
    if (name === 'flatMap') return 'flatMap mapper function is not callable';
    if (name === 'sort' || name === 'toSorted') return 'The comparison function must be either a function or undefined';
    return `${shown(value)} is not a ${what}`;
  }
  if (act === 'iterate async') return notIterable(failure, sites);
  const hook = hookOf(failure);
  if (hook !== undefined) return `${kindOf(hook)} is not a function`;
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

// What has a property, as V8 says it where it cannot be written.
function holder(value) {
  return `${typeof value} '${shown(value)}'`;
}

function readOnly({ act, operands }, sites, [, name]) {
  // Where the object is not known, such a property is mostly that of a frozen array.
  const kind = /^(?:length|\d+)$/.test(name) ? '[object Array]' : '#<Object>';
  if (act === 'put') return `Cannot assign to read only property '${name}' of ${operands?.length > 0 ? holder(operands[0]) : `object '${kind}'`}`;
  if (nativeIn(sites) !== undefined) {
    const receiver = nativeIn(sites).getFunctionName() === 'assign' ? Object(givenTo(nativeIn(sites))[0]) : receiverIn(sites);
    return `Cannot assign to read only property '${name}' of ${typeof receiver === 'object' && receiver !== null ? holder(receiver) : 'object'}`;
  }
  if (startsWith(name, '#')) return privateAccess(name, sites);
  return /^(?:undefined|NaN|Infinity)$/.test(name) ? `Cannot assign to read only property '${name}' of object '#<Object>'` : 'Assignment to constant variable.';
}

// Of a private member that cannot be written or read, the text says whether it is a method or has one accessor.
function privateAccess(name, sites) {
  const file = sites.find((site) => !site.isNative())?.getFileName();
  const text = typeof file === 'string' ? binding.sourceText(file) ?? '' : '';
  const has = (kind) => new RegExp(`\\b${kind}\\s*${name.replace(/\$/g, '\\$&')}(?![\\w$])`).test(text);
  if (has('get') === has('set')) return `Private method '${name}' is not writable`;
  return `'${name}' was defined without a ${has('get') ? 'setter' : 'getter'}`;
}

// A property that something cannot get.
function notExtensible(failure, sites) {
  const native = nativeIn(sites);
  if (native === undefined) {
    const property = written(failure);
    return failure.act === 'put' && property !== undefined ? `Cannot add property ${property}, object is not extensible` : 'object is not extensible';
  }
  const name = native.getFunctionName();
  if (/^define/.test(name)) return `Cannot define property ${String(givenTo(native)[1])}, object is not extensible`;
  if (name === 'assign') {
    const [target, ...sources] = givenTo(native);
    const added = sources.flatMap((source) => Reflect.ownKeys(Object(source))).find((key) => !Object.hasOwn(target, key));
    return `Cannot add property ${String(added)}, object is not extensible`;
  }
  const receiver = receiverIn(sites);
  return Array.isArray(receiver) ? `Cannot add property ${receiver.length}, object is not extensible` : 'object is not extensible';
}

function notDeleted({ act, operands }, sites) {
  if (act === 'delete' && operands?.length === 2 && require('internal/util/types').isProxy(operands[0])) {
    return `'deleteProperty' on proxy: trap returned falsish for property '${String(operands[1])}'`;
  }
  if (act === 'delete' && operands?.length === 2) return `Cannot delete property '${String(operands[1])}' of ${shown(operands[0])}`;
  const receiver = receiverIn(sites);
  return nativeIn(sites) !== undefined && Array.isArray(receiver) ? `Cannot delete property '${receiver.length - 1}' of ${shown(receiver)}` : undefined;
}

// A method that was called on something of another kind.
function incompatible(kind, failure, sites) {
  const native = nativeIn(sites);
  if (native === undefined) return undefined;
  const name = native.getFunctionName();
  if (name === 'DataView') return 'First argument to DataView constructor must be an ArrayBuffer';
  // Ours calls the engine's.
  const receiver = kind === 'Promise' ? sites[kReceivers]?.[0] ?? sites[kReceivers]?.[1] : receiverIn(sites);
  const accessor = /^get (.+)$/.exec(name);
  if (kind === 'RegExp' && accessor !== null) return `RegExp.prototype.${accessor[1]} getter called on non-RegExp object`;
  return `Method ${accessor === null ? '' : 'get '}${kind}.prototype.${accessor?.[1] ?? name} called on incompatible receiver ${shown(receiver)}`;
}

// A method of the language that wants a value of its own kind.
function wants(kind, failure, sites) {
  const name = nativeIn(sites)?.getFunctionName();
  if (name === undefined) return undefined;
  if (kind === 'Symbol' && Object.hasOwn(Symbol, name)) return `${argument(sites)} is not a symbol`;
  return `${kind}.prototype.${name} requires that 'this' be a ${kind}`;
}

function ofDescriptor(which, failure, sites) {
  const native = nativeIn(sites);
  if (native === undefined) return undefined;
  const given = givenTo(native);
  let value = given[2];
  if (/^(?:defineProperties|create)$/.test(native.getFunctionName())) {
    const all = Object(given[1]);
    value = Object.keys(all).map((key) => Object.getOwnPropertyDescriptor(all, key).value).find((one) => !isGood(which, one));
  }
  if (which === 'get' || which === 'set') value = Object.getOwnPropertyDescriptor(Object(value), which)?.value;
  return shown(value);
}

function isGood(which, value) {
  if (which === 'whole') return Object(value) === value;
  const accessor = Object.getOwnPropertyDescriptor(Object(value), which);
  return accessor === undefined || typeof accessor.value === 'function' || accessor.value === undefined;
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
  sites[kReceivers]?.shift();
  sites[kExecuted]?.shift();
  failureIn(error, sites);
  return name;
}

const argument = (sites) => shown(nativeIn(sites) && givenTo(nativeIn(sites))[0]);

// A private member of a value that is no object. The engine does not keep that value; `this` is mostly what a method
// has lost.
function privateOf({ form, property }, sites) {
  if (property === undefined) return undefined;
  const name = property.slice(property.indexOf('#'));
  const isWritten = form === 'written';
  if (startsWith(property, 'this.') && receiverIn(sites) === undefined) return isWritten ? `Cannot set properties of undefined (setting '${name}')` : `Cannot read properties of undefined (reading '${name}')`;
  return isWritten ? `Cannot write private member ${name} to a value that is no object` : `Cannot read private member ${name} from a value that is no object`;
}

// What cannot be done to a value that is no object.
function notObject(failure, sites) {
  const native = nativeIn(sites);
  if (native === undefined) return failure.act === 'private' ? privateOf(failure, sites) : undefined;
  const name = native.getFunctionName();
  const [first, second] = givenTo(native);
  if (functionOf(native) === Object.getPrototypeOf) return 'Cannot convert undefined or null to object';
  if (Promise[name] === functionOf(native)) return /^re/.test(name) ? `Promise${name === 'reject' ? 'Reject' : 'Resolve'} called on non-object` : `Promise.${name} called on non-object`;
  if (name === 'finally') return 'Promise.prototype.finally called on non-object';
  if (functionOf(native) === Object.setPrototypeOf && (first === undefined || first === null)) return 'Object.setPrototypeOf called on null or undefined';
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

// The property that something wrote.
function written({ operands, property }) {
  const key = operands?.[1];
  return property ?? (typeof key === 'string' || typeof key === 'number' || typeof key === 'symbol' ? String(key) : undefined);
}

// A property of a value that is no object, in strict code.
function putOnPrimitive(failure) {
  const { act, operands } = failure;
  if (act !== 'put' || operands === undefined) return undefined;
  const [value] = operands;
  const name = written(failure);
  if (Object(value) === value || (value ?? null) === null || name === undefined) return undefined;
  if (typeof value === 'string' && /^\d+$/.test(name) && Number(name) < value.length) return `Cannot assign to read only property '${name}' of string '${value}'`;
  return `Cannot create property '${name}' on ${typeof value} '${String(value)}'`;
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

// What is wrong with a view of a buffer, by the kind of array that it is.
function ofTypedArray(sites, say) {
  const native = nativeIn(sites);
  const size = native === undefined ? undefined : functionOf(native).BYTES_PER_ELEMENT;
  if (size === undefined) return undefined;
  const [, offset, length] = givenTo(native);
  return say(native.getFunctionName(), size, length, offset);
}

const outside = (offset) => `Start offset ${String(offset)} is outside the bounds of the buffer`;

// More than memory can be asked for, or than the buffer may grow to.
function bufferLength(failure, sites) {
  const native = nativeIn(sites);
  const name = native?.getFunctionName();
  if (name === 'grow') return 'SharedArrayBuffer.prototype.grow: Invalid length parameter';
  if (name === 'resize') return 'ArrayBuffer.prototype.resize: Invalid length parameter';
  if (native !== undefined && functionOf(native).BYTES_PER_ELEMENT !== undefined) return `Invalid typed array length: ${argument(sites)}`;
  return 'Array buffer allocation failed';
}

// A number that is no index, and what it should have been.
function noIndex(failure, sites) {
  const native = nativeIn(sites);
  const name = native?.getFunctionName();
  if (name === 'ArrayBuffer' || name === 'SharedArrayBuffer') return 'Invalid array buffer length';
  if (name === 'asIntN' || name === 'asUintN') return 'Invalid value: not (convertible to) a safe integer';
  if (native === undefined) return undefined;
  const [first, offset, length] = givenTo(native);
  if (name === 'DataView') return offset >= 0 ? `Invalid DataView length ${String(length)}` : outside(offset);
  if (name === 'set') return 'offset is out of bounds';
  if (!name.endsWith('Array')) return undefined;
  return typeof first === 'object' && offset < 0 ? outside(offset) : `Invalid typed array length: ${shown(first)}`;
}

const digits = {
  __proto__: null,
  toFixed: 'toFixed() digits argument must be between 0 and 100',
  toPrecision: 'toPrecision() argument must be between 1 and 100',
  toExponential: 'toExponential() argument must be between 0 and 100',
};

// Methods of arrays that say so when they are called on nothing.
const namesArrays = /^(?:concat|find|findIndex|findLast|findLastIndex|indexOf|forEach|filter|map|every|some|reduce|reduceRight)$/;

// What may stand between the beginning of a statement and a variable in it that has no place of its own.
const lead = /(?:^|[;{}])\s*((?:(?:return|throw|yield|await|new|typeof|void|delete)\b\s*|(?:if|switch)\s*\(\s*|[!~(-]\s*|`\$\{\s*|[\w$]+\s*=(?!=)\s*|[\w$.'"]+\s*(?:&&|\|\||\?\??|,)\s*)*)$/;

// A variable that is not there, or not yet: V8 marks the statement, unless it is an operand, an argument or an
// element, and what is assigned to where that is done.
function noteVariable(error, sites, name) {
  const site = sites[0];
  const file = site?.isNative() || isOurs(site) ? undefined : site.getFileName();
  if (typeof file !== 'string' || startsWith(file, 'node:lib/')) return;
  const place = binding.sourcePlace(file, site.getLineNumber(), site.getColumnNumber(), undefined, false, false);
  const text = place === undefined ? undefined : lineOf(file, place[0]);
  if (text === undefined || !startsWith(text.slice(place[1] - 1), name)) return;
  const after = /^\s*(?==(?![=>]))/.exec(text.slice(place[1] - 1 + name.length));
  const before = text.slice(0, place[1] - 1);
  const start = lead.exec(before)?.[1] ?? /=\s*(new\s+)$/.exec(before)?.[1] ?? '';
  let column = place[1] - start.length;
  if (after !== null && /initialization$/.test(error.message)) column = place[1] + name.length + after[0].length;
  setExact(error, site, [place[0], column], [place[0], column]);
}

// The engine's words, and what is said instead: a text, or what makes one of the failure, the frames and what
// the words were.
const words = [
  ['this is not initialized', "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"],
  [/^cannot (read|set) property '(.*)' of (undefined|null)$/s, readOf],
  [/^'(.+)' is read-only$/s, readOnly],
  ['object is not extensible', notExtensible],
  ['cannot convert symbol to string', 'Cannot convert a Symbol value to a string'],
  ['cannot convert symbol to number', 'Cannot convert a Symbol value to a number'],
  ['cannot convert BigInt to number', ({ act }, sites) => (act === 'binary' && nativeIn(sites) === undefined ? 'Cannot mix BigInt and other types, use explicit conversions' : 'Cannot convert a BigInt value to a number')],
  ['invalid array length', (failure, sites) => (nativeIn(sites)?.getFunctionName() === 'set' ? 'offset is out of bounds' : 'Invalid array length')],
  ['invalid array buffer length', bufferLength],
  ['invalid array buffer max length', 'Invalid array buffer max length'],
  ['invalid byteLength', (failure, sites) => `Invalid DataView length ${String(givenTo(nativeIn(sites) ?? sites[0])[2])}`],
  ['circular reference', (failure, sites) => circle(sites)],
  ['BigInt are forbidden in JSON.stringify', 'Do not know how to serialize a BigInt'],
  ["invalid 'in' operand", cannotSearch],
  ["invalid 'instanceof' right operand", ({ operands }) => {
    const type = operands === undefined ? 'object' : typeof operands[1];
    return `Right-hand side of 'instanceof' is not ${type === 'object' && operands?.[1] !== null ? 'callable' : 'an object'}`;
  }],
  ["operand 'prototype' property is not an object", ({ operands }) => {
    const prototype = operands === undefined ? undefined : Object.getOwnPropertyDescriptor(Object(operands[1]), 'prototype')?.value;
    return `Function has non-object prototype '${String(prototype)}' in instanceof check`;
  }],
  ['empty array', 'Reduce of empty array with no initial value'],
  ['invalid repeat count', (failure, sites) => `Invalid count value: ${String(nativeIn(sites) && givenTo(nativeIn(sites))[0])}`],
  ['invalid string length', 'Invalid string length'],
  ['value is not iterable', (failure, sites) => notIterable(failure, sites)],
  ['Cannot convert undefined or null to object', (failure, sites) => {
    const native = nativeIn(sites);
    const name = native?.getFunctionName();
    const isOfArrays = native !== undefined && namesArrays.test(name) && Array.prototype[name] === functionOf(native) && (receiverIn(sites) ?? null) === null;
    return isOfArrays ? `Array.prototype.${name} called on null or undefined` : takenApart(failure);
  }],
  [/^private class field '(.*)' does not exist$/s, noPrivate],
  ['invalid brand on object', ({ text }) => `Receiver must be an instance of class ${text === undefined || text === '' ? 'anonymous' : text}`],
  ['parent class must be constructor', ({ text = 'undefined' }) => `Class extends value ${startsWith(text, '{') ? '#<Object>' : text} is not a constructor or null`],
  [/^private class field '(.*)' already exists$/s, (failure, sites, [, name]) => `Cannot initialize ${name} twice on the same object`],
  // The engine says so of what stands after `new`, too.
  ['not a function', (failure, sites) => notFunction(failure, sites, 'function')],
  ['not a constructor', (failure, sites) => notFunction(failure, sites, 'constructor')],
  ["class constructors must be invoked with 'new'", (failure, sites, found, error) => {
    const name = withoutFirst(error, sites);
    return name === '' ? "Class constructors cannot be invoked without 'new'" : `Class constructor ${name} cannot be invoked without 'new'`;
  }],
  ['derived class constructor must return an object or undefined', (failure, sites, found, error) => {
    withoutFirst(error, sites);
    return 'Derived constructors may only return object or undefined';
  }],
  ["'this' can be initialized only once", 'Super constructor may only be called once'],
  ['bigint argument with unary +', 'Cannot convert a BigInt value to a number'],
  ['BigInt operands are forbidden for >>>', 'BigInts have no unsigned right shift, use >> instead'],
  ['BigInt division by zero', 'Division by zero'],
  ['cannot convert to BigInt: not an integer', (failure, sites) => `The number ${argument(sites)} cannot be converted to a BigInt because it is not an integer`],
  ['cannot convert NaN or Infinity to BigInt', (failure, sites) => `The number ${argument(sites)} cannot be converted to a BigInt because it is not an integer`],
  ['cannot convert to bigint', (failure, sites) => {
    const given = nativeIn(sites) && givenTo(nativeIn(sites))[0];
    const wrong = Array.isArray(given) ? given.find((one) => typeof one === 'number' || one === undefined || one === null) : undefined;
    return Array.isArray(given) ? `Cannot convert ${String(wrong)} to a BigInt` : undefined;
  }],
  ['revoked proxy', (failure, sites) => `Cannot perform '${trapOf(failure, sites)}' on a proxy that has been revoked`],
  ['proxy: cannot set property', ({ property }) => (property === undefined ? undefined : `'set' on proxy: trap returned falsish for property '${property}'`)],
  ['proxy: inconsistent prototype', (failure, sites) => (nativeIn(sites)?.getFunctionName() === 'getPrototypeOf' ? "'getPrototypeOf' on proxy: trap returned neither object nor null" : undefined)],
  ['ArrayBuffer is detached', (failure, sites) => {
    const native = nativeIn(sites);
    if (native === undefined) return undefined;
    return functionOf(native).BYTES_PER_ELEMENT === undefined ? undefined : 'Cannot perform Construct on a detached ArrayBuffer';
  }],
  ['cannot convert to BigInt', (failure, sites) => (nativeIn(sites) === undefined ? undefined : `Cannot convert ${argument(sites)} to a BigInt`)],
  ['not an object', (failure, sites) => notObject(failure, sites) ?? putOnPrimitive(failure)],
  ['iterator must return an object', ({ operands }) => (operands?.length > 0 && Object(operands.at(-1)) !== operands.at(-1) ? `Iterator result ${String(operands.at(-1))} is not an object` : undefined)],
  ['not a object', (failure, sites) => {
    const native = nativeIn(sites);
    const isConstructor = native?.getFunctionName() === 'construct' && typeof givenTo(native)[0] !== 'function';
    return native === undefined ? undefined : isConstructor ? `${argument(sites)} is not a constructor` : 'CreateListFromArrayLike called on non-object';
  }],
  ['not a symbol', (failure, sites) => wants('Symbol', failure, sites)],
  ['not a number', (failure, sites) => wants('Number', failure, sites)],
  ['not a boolean', (failure, sites) => wants('Boolean', failure, sites)],
  ['not a BigInt', (failure, sites) => wants('BigInt', failure, sites)],
  ['not a Date object', 'this is not a Date object.'],
  ['not a TypedArray', 'this is not a typed array.'],
  ['not a generator', (failure, sites) => `Method [Generator].prototype.${sites[0]?.getFunctionName()} called on incompatible receiver ${shown(receiverIn(sites))}`],
  ['integer TypedArray expected', (failure, sites) => `${argument(sites)} is not an integer typed array.`],
  [/^(\w+) object expected$/, (failure, sites, [, kind]) => incompatible(kind, failure, sites)],
  ['toPrimitive', 'Cannot convert object to primitive value'],
  ['invalid property access', "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them"],
  ['circular prototype chain', 'Cyclic __proto__ value'],
  ['invalid target', (failure, sites) => (sites[0]?.getFunctionName() === 'WeakRef' ? 'WeakRef: invalid target' : `FinalizationRegistry.prototype.${sites[0]?.getFunctionName()}: invalid target`)],
  ['property is not configurable', (failure, sites) => (/^define/.test(nativeIn(sites)?.getFunctionName() ?? '') ? `Cannot redefine property: ${String(givenTo(nativeIn(sites))[1])}` : undefined)],
  ['Property description must be an object', (failure, sites) => `Property description must be an object: ${ofDescriptor('whole', failure, sites)}`],
  ['Getter must be a function', (failure, sites) => `Getter must be a function: ${ofDescriptor('get', failure, sites)}`],
  ['Setter must be a function', (failure, sites) => `Setter must be a function: ${ofDescriptor('set', failure, sites)}`],
  ['Invalid property descriptor. Cannot both specify accessors and a value or writable attribute', 'Invalid property descriptor. Cannot both specify accessors and a value or writable attribute, #<Object>'],
  ['invalid byteOffset', (failure, sites) => outside(givenTo(nativeIn(sites) ?? sites[0])[1])],
  ['invalid offset', (failure, sites) => ofTypedArray(sites, (name, size, length, offset) => (offset % size === 0 ? outside(offset) : `start offset of ${name} should be a multiple of ${size}`))],
  ['invalid length', (failure, sites) => ofTypedArray(sites, (name, size, length) => (length === undefined ? `byte length of ${name} should be a multiple of ${size}` : `Invalid typed array length: ${String(length)}`))],
  ['invalid typed array index', 'Invalid typed array index'],
  [/^invalid array index: (.*)$/, (failure, sites, [, index]) => `Invalid index : ${index}`],
  ['object prototype may only be an Object or null', (failure, sites) => `Object prototype may only be an Object or null: ${argument(sites)}`],
  ['invalid value used as WeakMap key', 'Invalid value used as weak map key'],
  ['invalid value used as WeakSet key', 'Invalid value used in weak set'],
  ["regexp must have the 'g' flag", (failure, sites) => `String.prototype.${sites[0]?.getFunctionName()} called with a non-global RegExp argument`],
  ['regexp not supported', (failure, sites) => `First argument to String.prototype.${sites[0]?.getFunctionName()} must not be a regular expression`],
  ['null or undefined are forbidden', (failure, sites) => `String.prototype.${sites[0]?.getFunctionName()} called on null or undefined`],
  ['bad normalization form', 'The normalization form should be one of NFC, NFD, NFKC, NFKD.'],
  ['invalid code point', (failure, sites) => `Invalid code point ${argument(sites)}`],
  ['invalid array index', noIndex],
  ['out of bound', (failure, sites) => (nativeIn(sites) === undefined ? undefined : 'Offset is outside the bounds of the DataView')],
  ['cannot invoke a running generator', 'Generator is already running'],
  ['could not delete property', notDeleted],
  ['no setter for property', (failure) => {
    const [property, of] = [written(failure), failure.operands ?? []];
    return failure.act === 'put' && property !== undefined ? `Cannot set property ${property} of ${of.length > 0 ? shown(of[0]) : '#<Object>'} which has only a getter` : undefined;
  }],
  ['must be called with new', (failure, sites) => (sites[0]?.getFunctionName() === 'Promise' ? "Promise constructor cannot be invoked without 'new'" : `Constructor ${sites[0]?.getFunctionName()} requires 'new'`)],
  ['invalid number of digits', (failure, sites) => digits[sites[0]?.getFunctionName()] ?? 'invalid number of digits'],
];

// An ES module that is being evaluated looks for what only CommonJS modules have. Of the program's own it is said when
// nobody has caught the error.
function explainGlobal(error, sites, name) {
  const url = sites.find(isTop)?.getFileName();
  if (url === undefined || require('internal/modules/main').isStarting(url)) return;
  setMessage(error, require('internal/modules/failure').inEsModule(name, url));
}

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
  const missing = error instanceof ReferenceError ? /^(.+) is not (?:defined|initialized)$/s.exec(message) : null;
  if (missing !== null && missing[1] !== 'this') {
    if (missing[1] === 'WebAssembly') setMessage(error, 'WebAssembly is not defined: Hemiola has none; use a build of the package that is JavaScript alone');
    else if (/initialized$/.test(message)) setMessage(error, `Cannot access '${missing[1]}' before initialization`);
    else if (/^(?:require|exports|module|__filename|__dirname)$/.test(missing[1])) explainGlobal(error, sites, missing[1]);
    noteVariable(error, sites, missing[1]);
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
