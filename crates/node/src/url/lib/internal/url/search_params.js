// URLSearchParams: a list of pairs, read from and written as a form's encoding.
'use strict';

const {
  codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_THIS, ERR_INVALID_TUPLE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { FirstPlaces, LONG } = require('internal/first_places');
const { encodeChar } = require('internal/url/percent');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const toUSVString = (value) => `${value}`.toWellFormed();
const isEnumerable = Object.prototype.propertyIsEnumerable;

// The arguments that methods need.
const NOTHING = [];
const NAME = ['name'];
const PAIR = ['name', 'value'];

// Text with bytes that are no UTF-8 goes through node:querystring, as in Node, which then takes the
// other characters for bytes too.
function decode(part) {
  const text = part.replaceAll('+', ' ');
  return /%\+*[0-9A-Fa-f]\+*[0-9A-Fa-f]/.test(part) ? require('querystring').unescape(text) : text;
}

function parseParams(text) {
  const list = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const eq = pair.indexOf('=');
    list.push(decode(eq < 0 ? pair : pair.slice(0, eq)), eq < 0 ? '' : decode(pair.slice(eq + 1)));
  }
  return list;
}

const encodeParam = (text) => text.replace(/[^\w*.\- ]/gu, encodeChar).replaceAll(' ', '+');

function serializeParams(list) {
  const texts = list.map(encodeParam);
  const pairs = [];
  for (let i = 0; i < texts.length; i += 2) pairs.push(`${texts[i]}=${texts[i + 1]}`);
  return pairs.join('&');
}

// The pairs of a sequence of pairs. A string is iterable too, but not a pair.
function listFromPairs(pairs) {
  const list = [];
  for (const pair of pairs) {
    const isObject = pair !== null && (typeof pair === 'object' || typeof pair === 'function');
    if (!isObject || typeof pair[Symbol.iterator] !== 'function') {
      throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    }
    const values = [...pair];
    if (values.length !== 2) throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    list.push(toUSVString(values[0]), toUSVString(values[1]));
  }
  return list;
}

// The pairs of a record. Two keys may become the same once lone surrogates are replaced; the later
// value then takes the earlier place.
function listFromRecord(record) {
  const seen = new Map();
  for (const key of Reflect.ownKeys(record)) {
    if (!isEnumerable.call(record, key)) continue;
    if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    seen.set(toUSVString(key), toUSVString(record[key]));
  }
  return [...seen].flat();
}

// The pairs of whatever the constructor takes: parameters, pairs, a record or a string.
function listFrom(init) {
  if (typeof init !== 'object' && typeof init !== 'function') {
    const text = toUSVString(init);
    return parseParams(text[0] === '?' ? text.slice(1) : text);
  }
  const iterator = init[Symbol.iterator];
  if (iterator === undefined || iterator === null) return listFromRecord(init);
  // Parameters are copied as they are, unless somebody has changed what iterates them.
  if (isSearchParams(init) && iterator === URLSearchParams.prototype[Symbol.iterator]) return [...listOf(init)];
  if (typeof iterator !== 'function') throw new ERR_ARG_NOT_ITERABLE('Query pairs');
  return listFromPairs(init);
}

// What is left of the inspection's options for what is inside.
function optionsInside(depth, options) {
  return depth === null ? { ...options } : { ...options, depth: depth - 1 };
}

// Where the next pair of the name, and of the value if there is one, stands in a list, or -1.
function find(list, from, name, value) {
  for (let i = from; i < list.length; i += 2) {
    if (list[i] === name && (value === undefined || list[i + 1] === value)) return i;
  }
  return -1;
}

// Takes the pairs of the name, and of the value if there is one, out of a list, from a place on.
function remove(list, from, name, value) {
  let kept = from;
  for (let i = from; i < list.length; i += 2) {
    if (list[i] === name && (value === undefined || list[i + 1] === value)) continue;
    list[kept] = list[i];
    list[kept + 1] = list[i + 1];
    kept += 2;
  }
  list.length = kept;
}

// What URL needs of its searchParams and other code must not reach: set in a static block below.
let attach;
let isSearchParams;
let iterate;
let listOf;
let replaceList;

class URLSearchParams {
  // Names and values, one after the other.
  #list = [];
  // Called after each change, for the URL these parameters belong to.
  #changed = null;
  // Of a long list, until something is taken out of it.
  #places = undefined;

  static {
    listOf = (params) => params.#list;
    replaceList = (params, list) => {
      params.#list = list;
      params.#places = undefined;
    };
    attach = (params, changed) => { params.#changed = changed; };
    iterate = (params, kind) => {
      URLSearchParams.#check(params);
      return createIterator(params, kind);
    };
    isSearchParams = (value) => value !== null && typeof value === 'object' && #list in value;
  }

  // Whether a method was called on parameters, and with enough arguments.
  static #check(params, count = 0, needed = NOTHING) {
    if (!isSearchParams(params)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (count < needed.length) throw new ERR_MISSING_ARGS(...needed);
  }

  constructor(init = undefined) {
    if (init !== undefined && init !== null) this.#list = listFrom(init);
  }

  [kInspect](recurseTimes, ctx, inspect = require('internal/util/inspect').inspect) {
    URLSearchParams.#check(this);
    if (typeof recurseTimes === 'number' && recurseTimes < 0) return ctx.stylize('[Object]', 'special');
    const inner = optionsInside(recurseTimes, ctx);
    const texts = this.#list.map((text) => inspect(text, inner));
    const pairs = [];
    for (let i = 0; i < texts.length; i += 2) pairs.push(`${texts[i]} => ${texts[i + 1]}`);
    const { name } = this.constructor;
    const line = pairs.join(', ');
    if (line === '') return `${name} {}`;
    const shown = line.replace(/\x1b\[\d\d?m/g, '').length;
    return shown > ctx.breakLength ? `${name} {\n  ${pairs.join(',\n  ')} }` : `${name} { ${line} }`;
  }

  get size() {
    URLSearchParams.#check(this);
    return this.#list.length / 2;
  }

  /// Where the first pair of the name stands, or -1.
  #find(name) {
    const list = this.#list;
    if (list.length <= 2 * LONG) return find(list, 0, name);
    const at = (this.#places ??= new FirstPlaces()).find(name, list.length / 2, (number) => list[2 * number]);
    return at < 0 ? at : 2 * at;
  }

  #remove(from, name, value = undefined) {
    remove(this.#list, from, name, value);
    this.#places = undefined;
  }

  append(name, value) {
    URLSearchParams.#check(this, arguments.length, PAIR);
    this.#list.push(toUSVString(name), toUSVString(value));
    this.#changed?.();
  }

  delete(name, value = undefined) {
    URLSearchParams.#check(this, arguments.length, NAME);
    this.#remove(0, toUSVString(name), value === undefined ? undefined : toUSVString(value));
    this.#changed?.();
  }

  get(name) {
    URLSearchParams.#check(this, arguments.length, NAME);
    const i = this.#find(toUSVString(name));
    return i < 0 ? null : this.#list[i + 1];
  }

  getAll(name) {
    URLSearchParams.#check(this, arguments.length, NAME);
    const wanted = toUSVString(name);
    const values = [];
    for (let i = this.#find(wanted); i >= 0; i = find(this.#list, i + 2, wanted)) values.push(this.#list[i + 1]);
    return values;
  }

  has(name, value = undefined) {
    URLSearchParams.#check(this, arguments.length, NAME);
    const wanted = toUSVString(name);
    return (value === undefined ? this.#find(wanted) : find(this.#list, 0, wanted, toUSVString(value))) >= 0;
  }

  // The first of the name takes the value, and the others go.
  set(name, value) {
    URLSearchParams.#check(this, arguments.length, PAIR);
    const list = this.#list;
    const pair = [toUSVString(name), toUSVString(value)];
    const first = this.#find(pair[0]);
    if (first < 0) {
      list.push(pair[0], pair[1]);
    } else {
      list[first + 1] = pair[1];
      if (this.#places?.isOnce(pair[0]) !== true) this.#remove(first + 2, pair[0]);
    }
    this.#changed?.();
  }

  // By name in the order of UTF-16 units, which is what comparing strings does; pairs of the same
  // name keep their order.
  sort() {
    URLSearchParams.#check(this);
    const pairs = [];
    for (let i = 0; i < this.#list.length; i += 2) pairs.push([this.#list[i], this.#list[i + 1]]);
    pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#list = pairs.flat();
    this.#places = undefined;
    this.#changed?.();
  }

  entries() {
    return iterate(this, 'key+value');
  }

  forEach(callback, thisArg = undefined) {
    URLSearchParams.#check(this);
    validateFunction(callback, 'callback');
    for (let i = 0; i < this.#list.length; i += 2) callback.call(thisArg, this.#list[i + 1], this.#list[i], this);
  }

  keys() {
    return iterate(this, 'key');
  }

  values() {
    return iterate(this, 'value');
  }

  toString() {
    URLSearchParams.#check(this);
    return serializeParams(this.#list);
  }
}

for (const name of [
  'size', 'append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'entries', 'forEach', 'keys', 'values', 'toString',
]) {
  Object.defineProperty(URLSearchParams.prototype, name, { enumerable: true });
}
Object.defineProperties(URLSearchParams.prototype, {
  [Symbol.toStringTag]: { configurable: true, value: 'URLSearchParams' },
  [Symbol.iterator]: { configurable: true, writable: true, value: URLSearchParams.prototype.entries },
});

// Where each iterator is. It looks at the list as it is now, so that changes on the way show.
const iterators = new WeakMap();

function createIterator(params, kind) {
  const iterator = Object.create(iteratorPrototype);
  iterators.set(iterator, { params, kind, index: 0 });
  return iterator;
}

function itemAt({ params, kind }, index) {
  const list = listOf(params);
  if (kind === 'key') return list[index];
  return kind === 'value' ? list[index + 1] : [list[index], list[index + 1]];
}

const iteratorPrototype = Object.create(require('internal/kept').ofIterators, {
  next: {
    configurable: true,
    enumerable: true,
    writable: true,
    value: { next() {
      const state = iterators.get(this);
      if (state === undefined) throw new ERR_INVALID_THIS('URLSearchParamsIterator');
      if (state.index >= listOf(state.params).length) return { value: undefined, done: true };
      const value = itemAt(state, state.index);
      state.index += 2;
      return { value, done: false };
    } }.next,
  },
  [kInspect]: {
    configurable: true,
    writable: true,
    value: { [kInspect](recurseTimes, ctx, inspect = require('internal/util/inspect').inspect) {
      const state = iterators.get(this);
      if (state === undefined) throw new ERR_INVALID_THIS('URLSearchParamsIterator');
      if (typeof recurseTimes === 'number' && recurseTimes < 0) return ctx.stylize('[Object]', 'special');
      const inner = optionsInside(recurseTimes, ctx);
      const left = [];
      for (let i = state.index; i < listOf(state.params).length; i += 2) left.push(itemAt(state, i));
      const [open, between] = inspect(left, inner).includes('\n') ? ['\n  ', ',\n  '] : [' ', ', '];
      return `${this[Symbol.toStringTag]} {${open}${left.map((item) => inspect(item, inner)).join(between)} }`;
    } }[kInspect],
  },
  [Symbol.toStringTag]: { configurable: true, value: 'URLSearchParams Iterator' },
});

module.exports = { attach, parseParams, replaceList, toUSVString, URLSearchParams };
