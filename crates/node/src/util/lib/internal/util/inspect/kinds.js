// Which words and braces each kind of object gets, and what is listed between them.

const values = require('internal/util/inspect/values');
const contents = require('internal/util/inspect/contents');
const { className, functionBase, getPrefix } = require('internal/util/inspect/names');
const { formatError, isErrorLike } = require('internal/util/inspect/errors');
const { numberText } = require('internal/util/inspect/text');

/// Completes a description `it` (see `formatObject`), or answers all there is to show.
function describe(it) {
  const { value, kind, constructor } = it;
  if (Symbol.iterator in value || constructor === null) {
    const isTypedArray = ArrayBuffer.isView(value) && kind !== 'DataView';
    const rule = isTypedArray ? typedArray : iterables[kind];
    if (rule !== undefined) return rule(it);
  }
  it.keys = values.keysOf(value, it.ctx.showHidden);
  if (kind === 'Function') return functionObject(it);
  if (constructor === 'Object') return plainObject(it);
  if (isErrorLike(value)) return error(it);
  return (others[kind] ?? instance)(it);
}

const isBare = (it) => it.keys.length === 0 && it.inherited === undefined;
const prefix = (it, fallback, size) => getPrefix(it.constructor, it.tag, fallback, size);

const iterables = {
  '__proto__': null,
  'Array'(it) {
    const { value, ctx } = it;
    const name = it.constructor !== 'Array' || it.tag !== '' ? prefix(it, 'Array', `(${value.length})`) : '';
    it.keys = values.extraKeysOf(value, ctx.showHidden);
    it.braces = [`${name}[`, ']'];
    if (value.length === 0 && isBare(it)) return `${name}[]`;
    it.isArray = true;
    it.contents = contents.array;
  },
  'Set'(it) {
    const size = contents.setSize(it.value);
    const name = prefix(it, 'Set', `(${size})`);
    it.keys = values.keysOf(it.value, it.ctx.showHidden);
    if (size === 0 && isBare(it)) return `${name}{}`;
    it.braces = [`${name}{`, '}'];
    it.contents = contents.set;
  },
  'Map'(it) {
    const size = contents.mapSize(it.value);
    const name = prefix(it, 'Map', `(${size})`);
    it.keys = values.keysOf(it.value, it.ctx.showHidden);
    if (size === 0 && isBare(it)) return `${name}{}`;
    it.braces = [`${name}{`, '}'];
    it.contents = contents.map;
  },
  'Map Iterator': (it) => iterator(it, 'Map'),
  'Set Iterator': (it) => iterator(it, 'Set'),
};

function typedArray(it) {
  const { value, ctx } = it;
  it.keys = values.extraKeysOf(value, ctx.showHidden);
  const name = prefix(it, it.constructor === null ? it.kind : '', `(${contents.typedArrayLength(value)})`);
  it.braces = [`${name}[`, ']'];
  if (contents.typedArrayLength(value) === 0 && it.keys.length === 0 && !ctx.showHidden) return `${name}[]`;
  it.isArray = true;
  it.contents = contents.typedArray;
}

function iterator(it, type) {
  it.keys = values.keysOf(it.value, it.ctx.showHidden);
  if (binding.previewEntries === undefined) return instance(it);
  const name = `${type} Iterator`;
  let { tag } = it;
  if (tag !== name) tag += `${tag === '' ? '' : '] ['}${name}`;
  it.braces = [`[${tag}] {`, '}'];
  it.contents = contents.iterator;
}

function plainObject(it) {
  if (it.kind === 'Arguments') it.braces[0] = '[Arguments] {';
  else if (it.tag !== '') it.braces[0] = `${prefix(it, 'Object')}{`;
  if (isBare(it)) return `${it.braces[0]}}`;
}

function functionObject(it) {
  it.base = functionBase(it.value, it.constructor, it.tag);
  if (isBare(it)) return it.ctx.stylize(it.base, 'special');
}

function error(it) {
  if (it.ctx.showHidden && it.kind === 'Error') {
    // The engine keeps the stack elsewhere, but it counts as the first property with a name.
    const keys = it.keys.filter((key) => key !== 'stack');
    const first = keys.findIndex((key) => !values.isIndex(key));
    it.keys = keys.toSpliced(first === -1 ? keys.length : first, 0, 'stack');
  }
  it.base = formatError(it.ctx, it.value, it.constructor, it.tag, it.keys);
  if (isBare(it)) return it.base;
}

const unbox = {
  Number: Number.prototype.valueOf, String: String.prototype.valueOf, Boolean: Boolean.prototype.valueOf,
  BigInt: BigInt.prototype.valueOf, Symbol: Symbol.prototype.valueOf,
};

function boxed(it) {
  const { ctx, value, kind, constructor, keys, tag } = it;
  const primitive = unbox[kind].call(value);
  // The characters of a string are its first keys.
  if (kind === 'String') keys.splice(0, primitive.length);
  let base = `[${kind}`;
  if (kind !== constructor) base += constructor === null ? ' (null prototype)' : ` (${constructor})`;
  base += `: ${values.formatPrimitive((text) => text, primitive, ctx)}]`;
  if (tag !== '' && tag !== constructor) base += ` [${tag}]`;
  it.base = base;
  if (isBare(it)) return ctx.stylize(base, kind.toLowerCase());
}

function arrayBuffer(it) {
  const name = prefix(it, it.kind);
  if (!it.inTypedArray) {
    it.contents = contents.arrayBuffer;
  } else if (isBare(it)) {
    return `${name}{ byteLength: ${it.ctx.stylize(numberText(it.value.byteLength), 'number')} }`;
  }
  it.braces[0] = `${name}{`;
  it.keys.unshift('byteLength');
}

function weakCollection(it) {
  it.braces[0] = `${prefix(it, it.kind)}{`;
  it.contents = contents.weakCollection;
}

const others = {
  '__proto__': null,
  'RegExp'(it) {
    const { ctx, value } = it;
    const name = prefix(it, 'RegExp');
    const text = contents.regexpText(value, it.constructor === null);
    it.base = name === 'RegExp ' ? text : `${name}${text}`;
    if (isBare(it) || it.isTooDeep) return ctx.stylize(it.base, 'regexp');
  },
  'Date'(it) {
    const name = prefix(it, 'Date');
    const text = contents.dateText(it.value);
    it.base = name === 'Date ' ? text : `${name}${text}`;
    if (isBare(it)) return it.ctx.stylize(it.base, 'date');
  },
  'Number': boxed, 'String': boxed, 'Boolean': boxed, 'BigInt': boxed, 'Symbol': boxed,
  'ArrayBuffer': arrayBuffer, 'SharedArrayBuffer': arrayBuffer,
  'DataView'(it) {
    it.braces[0] = `${prefix(it, 'DataView')}{`;
    it.keys.unshift('byteLength', 'byteOffset', 'buffer');
  },
  'Promise'(it) {
    if (binding.getPromiseDetails === undefined) return instance(it);
    it.braces[0] = `${prefix(it, 'Promise')}{`;
    it.contents = contents.promise;
  },
  'WeakSet': weakCollection, 'WeakMap': weakCollection,
  'Module'(it) {
    it.braces[0] = `${prefix(it, 'Module')}{`;
    it.contents = contents.namespace;
  },
};

function instance(it) {
  const name = prefix(it, className(it.value, it.tag));
  it.braces[0] = `${name}{`;
  if (isBare(it)) return `${name}{}`;
}

module.exports = { describe };
