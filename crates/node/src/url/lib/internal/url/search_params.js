// URLSearchParams: a list of pairs, read from and written as a form's encoding.
'use strict';

const {
  codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_THIS, ERR_INVALID_TUPLE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { LONG, LongPairs } = require('internal/long_pairs');
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
  if (isSearchParams(init) && iterator === URLSearchParams.prototype[Symbol.iterator]) return listOf(init);
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
let countOf;
let itemOf;
let replaceList;

class URLSearchParams {
  // Names and values, one after the other.
  #list = [];
  // Called after each change, for the URL these parameters belong to.
  #changed = null;
  // All pairs instead of the list, once one of many was looked for.
  #many = undefined;

  static {
    listOf = (params) => [...params.#flat()];
    countOf = (params) => (params.#many === undefined ? params.#list.length / 2 : params.#many.count);
    itemOf = (params, number) => {
      if (params.#many === undefined) return [params.#list[2 * number], params.#list[2 * number + 1]];
      const { name, value } = params.#many.at(number);
      return [name, value];
    };
    replaceList = (params, list) => {
      params.#list = list;
      params.#many = undefined;
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
    const texts = this.#flat().map((text) => inspect(text, inner));
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
    return countOf(this);
  }

  /// Names and values, one after the other, which are not to be changed.
  #flat() {
    if (this.#many === undefined) return this.#list;
    const list = [];
    for (const { name, value } of this.#many) list.push(name, value);
    return list;
  }

  /// The pairs by name, if there are many.
  #index() {
    const list = this.#list;
    if (this.#many === undefined && list.length > 2 * LONG) {
      this.#many = new LongPairs();
      for (let i = 0; i < list.length; i += 2) this.#many.append(list[i], list[i + 1]);
      this.#list = NOTHING;
    }
    return this.#many;
  }

  append(name, value) {
    URLSearchParams.#check(this, arguments.length, PAIR);
    const pair = [toUSVString(name), toUSVString(value)];
    if (this.#many === undefined) this.#list.push(pair[0], pair[1]);
    else this.#many.append(pair[0], pair[1]);
    this.#changed?.();
  }

  delete(name, value = undefined) {
    URLSearchParams.#check(this, arguments.length, NAME);
    const wanted = toUSVString(name);
    const its = value === undefined ? undefined : toUSVString(value);
    const many = this.#index();
    if (many === undefined) remove(this.#list, 0, wanted, its);
    else if (its === undefined) many.delete(wanted);
    else many.deletePair(wanted, its);
    this.#changed?.();
  }

  get(name) {
    URLSearchParams.#check(this, arguments.length, NAME);
    const wanted = toUSVString(name);
    const many = this.#index();
    if (many !== undefined) return many.first(wanted)?.value ?? null;
    const i = find(this.#list, 0, wanted);
    return i < 0 ? null : this.#list[i + 1];
  }

  getAll(name) {
    URLSearchParams.#check(this, arguments.length, NAME);
    const wanted = toUSVString(name);
    const many = this.#index();
    if (many !== undefined) return many.all(wanted).map((pair) => pair.value);
    const values = [];
    for (let i = find(this.#list, 0, wanted); i >= 0; i = find(this.#list, i + 2, wanted)) values.push(this.#list[i + 1]);
    return values;
  }

  has(name, value = undefined) {
    URLSearchParams.#check(this, arguments.length, NAME);
    const wanted = toUSVString(name);
    const its = value === undefined ? undefined : toUSVString(value);
    const many = this.#index();
    if (many === undefined) return find(this.#list, 0, wanted, its) >= 0;
    return its === undefined ? many.first(wanted) !== undefined : many.has(wanted, its);
  }

  // The first of the name takes the value, and the others go.
  set(name, value) {
    URLSearchParams.#check(this, arguments.length, PAIR);
    const pair = [toUSVString(name), toUSVString(value)];
    const many = this.#index();
    if (many === undefined) this.#setInList(pair[0], pair[1]);
    else if (!many.set(pair[0], pair[1])) many.append(pair[0], pair[1]);
    this.#changed?.();
  }

  #setInList(name, value) {
    const list = this.#list;
    const first = find(list, 0, name);
    if (first < 0) {
      list.push(name, value);
    } else {
      list[first + 1] = value;
      remove(list, first + 2, name);
    }
  }

  // By name in the order of UTF-16 units, which is what comparing strings does; pairs of the same
  // name keep their order.
  sort() {
    URLSearchParams.#check(this);
    const list = this.#flat();
    const pairs = [];
    for (let i = 0; i < list.length; i += 2) pairs.push([list[i], list[i + 1]]);
    pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    replaceList(this, pairs.flat());
    this.#changed?.();
  }

  entries() {
    return iterate(this, 'key+value');
  }

  forEach(callback, thisArg = undefined) {
    URLSearchParams.#check(this);
    validateFunction(callback, 'callback');
    for (let number = 0; number < countOf(this); number++) {
      const [name, value] = itemOf(this, number);
      callback.call(thisArg, value, name, this);
    }
  }

  keys() {
    return iterate(this, 'key');
  }

  values() {
    return iterate(this, 'value');
  }

  toString() {
    URLSearchParams.#check(this);
    return serializeParams(this.#flat());
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
  iterators.set(iterator, { params, kind, number: 0 });
  return iterator;
}

function itemAt({ params, kind }, number) {
  const pair = itemOf(params, number);
  if (kind === 'key') return pair[0];
  return kind === 'value' ? pair[1] : pair;
}

const iteratorPrototype = Object.create(require('internal/kept').ofIterators, {
  next: {
    configurable: true,
    enumerable: true,
    writable: true,
    value: { next() {
      const state = iterators.get(this);
      if (state === undefined) throw new ERR_INVALID_THIS('URLSearchParamsIterator');
      if (state.number >= countOf(state.params)) return { value: undefined, done: true };
      const value = itemAt(state, state.number);
      state.number++;
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
      for (let number = state.number; number < countOf(state.params); number++) left.push(itemAt(state, number));
      const [open, between] = inspect(left, inner).includes('\n') ? ['\n  ', ',\n  '] : [' ', ', '];
      return `${this[Symbol.toStringTag]} {${open}${left.map((item) => inspect(item, inner)).join(between)} }`;
    } }[kInspect],
  },
  [Symbol.toStringTag]: { configurable: true, value: 'URLSearchParams Iterator' },
});

module.exports = { attach, countOf, parseParams, replaceList, toUSVString, URLSearchParams };
