// The kind of an object: which of the language's internal classes it belongs to.
//
// From binding, optional: getPromiseDetails(value), which throws or answers undefined if the value is
// no promise; and classOf(object), the engine's name of an object's class ('Map', 'Date', 'Promise',
// 'Uint8Array', 'Map Iterator', 'Arguments', 'Module', ...). Without the latter the kind is found out
// by brand checks: calling a method of the class and seeing whether it throws. That is right but slow,
// cannot see proxies, and knows generators and iterators by their prototypes only.

binding.install?.('values', binding);

const getter = (object, key) => Object.getOwnPropertyDescriptor(object, key).get;
const { apply, getPrototypeOf } = Reflect;
const builtinTag = Object.prototype.toString;
const typedArrayName = getter(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

// Each throws if its `this` is not of the class, and has no effect otherwise.
const brands = [
  ['Map', getter(Map.prototype, 'size')],
  ['Set', getter(Set.prototype, 'size')],
  ['ArrayBuffer', getter(ArrayBuffer.prototype, 'byteLength')],
  ['SharedArrayBuffer', getter(SharedArrayBuffer.prototype, 'byteLength')],
  ['WeakMap', WeakMap.prototype.has],
  ['WeakSet', WeakSet.prototype.has],
  ['Symbol', Symbol.prototype.valueOf],
  ['BigInt', BigInt.prototype.valueOf],
];
// The same for the classes that `Object.prototype.toString` knows; needed when a tag of the
// program's own hides them.
const taggedBrands = [
  ['Date', Date.prototype.getTime],
  ['RegExp', getter(RegExp.prototype, 'source')],
  ['Number', Number.prototype.valueOf],
  ['String', String.prototype.valueOf],
  ['Boolean', Boolean.prototype.valueOf],
];
const knownTags = {
  '__proto__': null,
  '[object Arguments]': 'Arguments', '[object Boolean]': 'Boolean', '[object Date]': 'Date', '[object Error]': 'Error',
  '[object Number]': 'Number', '[object RegExp]': 'RegExp', '[object String]': 'String',
};
const generator = function* () {};
const asyncGenerator = async function* () {};
const lineages = [
  ['Promise', Promise.prototype],
  ['Map Iterator', getPrototypeOf(new Map().keys())],
  ['Set Iterator', getPrototypeOf(new Set().keys())],
  ['Generator', getPrototypeOf(generator.prototype)],
  ['AsyncGenerator', getPrototypeOf(asyncGenerator.prototype)],
];
const isPrototypeOf = Object.prototype.isPrototypeOf;

function firstBrand(value, candidates) {
  for (const [kind, method] of candidates) {
    try {
      apply(method, value, []);
      // The one object without the brand that its getter accepts.
      if (value !== RegExp.prototype) return kind;
    } catch {
      // Not of this class.
    }
  }
}

// A failed check makes an error, and making one must not call the program's own formatting.
function quietly(fn, value) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const changed = prepareStackTrace !== undefined;
  if (changed) Error.prepareStackTrace = undefined;
  Error.stackTraceLimit = 0;
  try {
    return fn(value);
  } finally {
    if (changed) Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function isNamespace(value) {
  if (getPrototypeOf(value) !== null || Object.isExtensible(value)) return false;
  const tag = Object.getOwnPropertyDescriptor(value, Symbol.toStringTag);
  return tag?.value === 'Module' && !tag.writable && !tag.enumerable && !tag.configurable;
}

function isPromise(value) {
  try {
    return binding.getPromiseDetails?.(value) !== undefined;
  } catch {
    return false;
  }
}

function classify(value) {
  const hasTag = Symbol.toStringTag in value;
  if (!hasTag) {
    const kind = knownTags[apply(builtinTag, value, [])];
    if (kind !== undefined) return kind;
    // A collection that was given this prototype is the only one mistaken here.
    if (getPrototypeOf(value) === Object.prototype) return 'Object';
  } else {
    if (['callee', 'length', Symbol.iterator].every((key) => Object.hasOwn(value, key))) return 'Arguments';
    if (isNamespace(value)) return 'Module';
    const kind = firstBrand(value, taggedBrands);
    if (kind !== undefined) return kind;
  }
  const kind = firstBrand(value, brands);
  if (kind !== undefined) return kind;
  if (isPromise(value)) return 'Promise';
  for (const [name, prototype] of lineages) {
    if (apply(isPrototypeOf, prototype, [value])) return name;
  }
  return 'Object';
}

// Only the newest engines can tell an error without asking its tag.
const isError = Error.isError ?? ((value) => apply(builtinTag, value, []) === '[object Error]');

function kindOf(value) {
  if (typeof value === 'function') return 'Function';
  if (Array.isArray(value)) return 'Array';
  if (ArrayBuffer.isView(value)) return apply(typedArrayName, value, []) ?? 'DataView';
  if (isError(value)) return 'Error';
  return quietly(classify, value);
}

// The engine has more classes than kinds: what is not among these is an ordinary object.
const kinds = new Set([
  'Array', 'DataView', 'Error', 'Arguments', 'Module', 'Promise', ...brands.map(([name]) => name),
  ...taggedBrands.map(([name]) => name), ...lineages.map(([name]) => name),
  'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array',
  'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
]);
const { classOf } = binding;

function engineKindOf(value) {
  if (typeof value === 'function') return 'Function';
  const name = classOf(value);
  return kinds.has(name) ? name : 'Object';
}

/// The kind of an object or function, by the engine's name of its class. Not for primitives.
exports.kindOf = classOf === undefined ? kindOf : engineKindOf;
