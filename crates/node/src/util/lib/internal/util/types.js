// `util.types`: what an object really is, whatever its prototype and its tag say.
//
// From binding: getProxyDetails(value), optional; [target, handler] of a proxy, else undefined.

const { kindOf } = require('internal/util/kind');

const isObject = (value) => typeof value === 'object' && value !== null;
const isKind = (kind) => (value) => isObject(value) && kindOf(value) === kind;

const types = {};
for (const [name, kind] of [
  ['isDate', 'Date'],
  ['isArgumentsObject', 'Arguments'],
  ['isBigIntObject', 'BigInt'],
  ['isBooleanObject', 'Boolean'],
  ['isNumberObject', 'Number'],
  ['isStringObject', 'String'],
  ['isSymbolObject', 'Symbol'],
  ['isNativeError', 'Error'],
  ['isRegExp', 'RegExp'],
  ['isPromise', 'Promise'],
  ['isMap', 'Map'],
  ['isSet', 'Set'],
  ['isMapIterator', 'Map Iterator'],
  ['isSetIterator', 'Set Iterator'],
  ['isWeakMap', 'WeakMap'],
  ['isWeakSet', 'WeakSet'],
  ['isArrayBuffer', 'ArrayBuffer'],
  ['isSharedArrayBuffer', 'SharedArrayBuffer'],
  ['isDataView', 'DataView'],
  ['isModuleNamespaceObject', 'Module'],
]) {
  types[name] = isKind(kind);
}

const boxes = new Set(['Number', 'String', 'Boolean', 'BigInt', 'Symbol']);
types.isBoxedPrimitive = (value) => isObject(value) && boxes.has(kindOf(value));
types.isAnyArrayBuffer = (value) => types.isArrayBuffer(value) || types.isSharedArrayBuffer(value);
types.isGeneratorObject = (value) => {
  const kind = isObject(value) ? kindOf(value) : '';
  return kind === 'Generator' || kind === 'AsyncGenerator';
};

// Views answer this themselves, without an error for what is not one.
const typedArrayName = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const nameOfTypedArray = (value) => Reflect.apply(typedArrayName, value, []);
types.isArrayBufferView = (value) => ArrayBuffer.isView(value);
types.isTypedArray = (value) => nameOfTypedArray(value) !== undefined;
for (const name of [
  'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
]) {
  types[`is${name}`] = (value) => nameOfTypedArray(value) === name;
}

types.isProxy = (value) =>
  (isObject(value) || typeof value === 'function') && binding.getProxyDetails?.(value) !== undefined;

// A function's kind shows in its prototype, unless the program changed that; its text never lies
// but is slower to ask.
const { getPrototypeOf } = Object;
const functionPrototypes = new Map([
  [Function.prototype, ''],
  [getPrototypeOf(async function () {}), 'async'],
  [getPrototypeOf(function* () {}), 'generator'],
  [getPrototypeOf(async function* () {}), 'async generator'],
]);
const textOf = Function.prototype.toString;

function functionKind(fn) {
  const known = functionPrototypes.get(getPrototypeOf(fn));
  if (known !== undefined) return known;
  const text = Reflect.apply(textOf, fn, []);
  // A method may be called `async`; the word counts only before another one or an arrow's parameters.
  const isAsync = /^async(?:\s+[\w$[*#'"]|\s*\*|\s*\([^)]*\)\s*=>)/.test(text);
  const isGenerator = /^(?:async\s*)?(?:function\s*)?\*/.test(text);
  return [isAsync && 'async', isGenerator && 'generator'].filter(Boolean).join(' ');
}
types.isAsyncFunction = (value) =>
  typeof value === 'function' && !types.isProxy(value) && functionKind(value).startsWith('async');
types.isGeneratorFunction = (value) =>
  typeof value === 'function' && !types.isProxy(value) && functionKind(value).endsWith('generator');

// Values that only native addons make.
types.isExternal = () => false;
// Only the file that makes keys can tell them; before it is loaded there are none.
types.isKeyObject = (value) => binding.isKeyObject?.(value) ?? false;
types.isCryptoKey = (value) => binding.isCryptoKey?.(value) ?? false;

// Most are made above by a function that gives them no name.
for (const name of Object.keys(types)) Object.defineProperty(types[name], 'name', { value: name });

module.exports = types;
