// URLSearchParams: a list of pairs, read from and written as a form's encoding.
'use strict';

const {
  codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_THIS, ERR_INVALID_TUPLE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { encodeChar } = require('internal/url/percent');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const toUSVString = (value) => `${value}`.toWellFormed();

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
  let out = '';
  for (let i = 0; i < list.length; i += 2) out += `${i ? '&' : ''}${encodeParam(list[i])}=${encodeParam(list[i + 1])}`;
  return out;
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
    if (!Reflect.getOwnPropertyDescriptor(record, key)?.enumerable) continue;
    if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    seen.set(toUSVString(key), toUSVString(record[key]));
  }
  return [...seen].flat();
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

  static {
    listOf = (params) => params.#list;
    replaceList = (params, list) => { params.#list = list; };
    attach = (params, changed) => { params.#changed = changed; };
    iterate = (params, kind) => {
      URLSearchParams.#check(params);
      return createIterator(params, kind);
    };
    isSearchParams = (value) => value !== null && typeof value === 'object' && #list in value;
  }

  static #check(params) {
    if (!isSearchParams(params)) throw new ERR_INVALID_THIS('URLSearchParams');
  }

  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init === 'object' || typeof init === 'function') {
      const method = init[Symbol.iterator];
      if (method === this[Symbol.iterator] && isSearchParams(init)) {
        this.#list = [...init.#list];
      } else if (method !== null && method !== undefined) {
        if (typeof method !== 'function') throw new ERR_ARG_NOT_ITERABLE('Query pairs');
        this.#list = listFromPairs(init);
      } else {
        this.#list = listFromRecord(init);
      }
      return;
    }
    const text = toUSVString(init);
    this.#list = parseParams(text[0] === '?' ? text.slice(1) : text);
  }

  [kInspect](recurseTimes, ctx, inspect = require('internal/util/inspect').inspect) {
    URLSearchParams.#check(this);
    if (typeof recurseTimes === 'number' && recurseTimes < 0) return ctx.stylize('[Object]', 'special');
    const inner = { ...ctx };
    if (recurseTimes !== null) inner.depth = recurseTimes - 1;
    const pairs = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      pairs.push(`${inspect(this.#list[i], inner)} => ${inspect(this.#list[i + 1], inner)}`);
    }
    if (pairs.length === 0) return `${this.constructor.name} {}`;
    const length = pairs.join(', ').replace(/\x1b\[\d\d?m/g, '').length;
    return length > ctx.breakLength
      ? `${this.constructor.name} {\n  ${pairs.join(',\n  ')} }`
      : `${this.constructor.name} { ${pairs.join(', ')} }`;
  }

  get size() {
    URLSearchParams.#check(this);
    return this.#list.length / 2;
  }

  append(name, value) {
    URLSearchParams.#check(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    this.#list.push(toUSVString(name), toUSVString(value));
    this.#changed?.();
  }

  delete(name, value = undefined) {
    URLSearchParams.#check(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    const list = this.#list;
    name = toUSVString(name);
    if (value !== undefined) value = toUSVString(value);
    for (let i = 0; i < list.length;) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) list.splice(i, 2);
      else i += 2;
    }
    this.#changed?.();
  }

  get(name) {
    URLSearchParams.#check(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    for (let i = 0; i < this.#list.length; i += 2) if (this.#list[i] === name) return this.#list[i + 1];
    return null;
  }

  getAll(name) {
    URLSearchParams.#check(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    return this.#list.filter((_, i) => i % 2 === 1 && this.#list[i - 1] === name);
  }

  has(name, value = undefined) {
    URLSearchParams.#check(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    if (value !== undefined) value = toUSVString(value);
    for (let i = 0; i < this.#list.length; i += 2) {
      if (this.#list[i] === name && (value === undefined || this.#list[i + 1] === value)) return true;
    }
    return false;
  }

  set(name, value) {
    URLSearchParams.#check(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    const list = this.#list;
    name = toUSVString(name);
    value = toUSVString(value);
    let found = false;
    for (let i = 0; i < list.length;) {
      if (list[i] === name && found) {
        list.splice(i, 2);
        continue;
      }
      if (list[i] === name) {
        list[i + 1] = value;
        found = true;
      }
      i += 2;
    }
    if (!found) list.push(name, value);
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

const iteratorPrototype = Object.create(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), {
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
      const inner = { ...ctx };
      if (recurseTimes !== null) inner.depth = recurseTimes - 1;
      const items = [];
      for (let i = state.index; i < listOf(state.params).length; i += 2) items.push(itemAt(state, i));
      const texts = items.map((item) => inspect(item, inner));
      const broken = inspect(items, inner).includes('\n');
      return `${this[Symbol.toStringTag]} {${broken ? `\n  ${texts.join(',\n  ')}` : ` ${texts.join(', ')}`} }`;
    } }[kInspect],
  },
  [Symbol.toStringTag]: { configurable: true, value: 'URLSearchParams Iterator' },
});

module.exports = { attach, parseParams, replaceList, toUSVString, URLSearchParams };
