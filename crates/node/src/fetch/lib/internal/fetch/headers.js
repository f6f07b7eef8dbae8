// Headers, and the list of headers that a request or a response has.
'use strict';

const {
  byteString, fail, finishClass, illegalInvocation, iterable, record, requireArguments, sequence, typeName,
} = require('internal/fetch/webidl');
const { isProxy } = require('internal/util/types');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

const isToken = (text) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
// Bytes other than NUL and line ends; an implementation need not care for spaces at the ends, since values
// are trimmed before.
const isValue = (text) => !/[\0\r\n]/.test(text) && !/^[\t ]|[\t ]$/.test(text);
const trim = (text) => text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');

/// Headers by lower-case name, each with the spelling that came first. The values of one name are joined
/// but for cookies to be set, which are kept one by one as well.
class HeadersList {
  #map = new Map();
  // The names in order, 'set-cookie' once for each cookie, as of the last iteration; unknown once one has come.
  #names = undefined;
  #firstCookie = 0;
  // Which of these names are left, once one has gone.
  #ranks = undefined;
  #gone = 0;
  cookies = null;

  static from(other) {
    const list = new HeadersList();
    for (const [key, { name, value }] of other.#map) list.#map.set(key, { name, value });
    list.cookies = other.cookies?.slice() ?? null;
    return list;
  }

  get size() { return this.#map.size; }

  has(name) { return this.#map.has(name.toLowerCase()); }

  get(name) { return this.#map.get(name.toLowerCase())?.value ?? null; }

  append(name, value) {
    const key = name.toLowerCase();
    const known = this.#map.get(key);
    if (known === undefined || key === 'set-cookie') this.#names = undefined;
    if (known === undefined) this.#map.set(key, { name, value });
    else known.value += (key === 'cookie' ? '; ' : ', ') + value;
    if (key === 'set-cookie') (this.cookies ??= []).push(value);
  }

  set(name, value) {
    const key = name.toLowerCase();
    if (!this.#map.has(key) || key === 'set-cookie') this.#names = undefined;
    if (key === 'set-cookie') this.cookies = [value];
    this.#map.set(key, { name, value });
  }

  delete(name) {
    const key = name.toLowerCase();
    if (key === 'set-cookie') {
      this.#names = undefined;
      this.cookies = null;
    }
    if (this.#map.delete(key) && this.#names !== undefined) this.#forget(key);
  }

  clear() {
    this.#names = undefined;
    this.#map.clear();
    this.cookies = null;
  }

  #forget(key) {
    const names = this.#names;
    let low = 0;
    let high = names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (names[middle] < key) low = middle + 1;
      else high = middle;
    }
    this.#ranks ??= new (require('internal/ranks'))(names.length, () => true);
    this.#ranks.remove(low);
    this.#gone++;
  }

  /// The pair with that number as an iteration gives them: by name, each cookie on its own; undefined beyond the end.
  at(number) {
    if (this.#names === undefined) this.#sort();
    if (number >= this.#names.length - this.#gone) return undefined;
    const place = this.#ranks === undefined ? number : this.#ranks.placeOf(number);
    const key = this.#names[place];
    return [key, key === 'set-cookie' ? this.cookies[place - this.#firstCookie] : this.#map.get(key).value];
  }

  #sort() {
    const names = [];
    for (const key of [...this.#map.keys()].sort((a, b) => (a < b ? -1 : 1))) {
      if (key !== 'set-cookie') {
        names.push(key);
        continue;
      }
      this.#firstCookie = names.length;
      for (const _ of this.cookies) names.push(key);
    }
    this.#names = names;
    this.#ranks = undefined;
    this.#gone = 0;
  }

  /// The pairs in the order in which they came, in their spelling, each cookie on its own.
  get pairs() {
    const pairs = [];
    for (const [key, { name, value }] of this.#map) {
      if (key !== 'set-cookie') pairs.push([name, value]);
      else for (const cookie of this.cookies) pairs.push([name, cookie]);
    }
    return pairs;
  }

  /// As an object, for showing.
  get object() {
    return Object.fromEntries([...this.#map.values()].map(({ name, value }) => [name, value]));
  }
}

let listOf;
let guardOf;
let makeHeaders;

const CONSTRUCTOR = 'Headers constructor';
// The place as Node 20 spells it in messages of conversions.
const CONVERSION = 'Headers contructor';
const kMake = Symbol('kMake');

/// What may be given for headers, as pairs.
function convertInit(value, place = CONVERSION, argument = 'init') {
  if (typeName(value) !== 'Object') {
    fail(CONSTRUCTOR, 'Argument 1 could not be converted to one of: sequence<sequence<ByteString>>, record<ByteString, ByteString>.');
  }
  const iterate = Reflect.get(value, Symbol.iterator);
  if (!isProxy(value) && iterate === Headers.prototype.entries && listOf(value) !== undefined) return listOf(value).pairs;
  if (typeof iterate !== 'function') return record(value, place, argument, byteString);
  return sequence(value, place, argument, (item, where, name) => sequence(item, where, name, byteString), iterate);
}

function checked(name, value, place) {
  const trimmed = trim(value);
  if (!isToken(name)) fail(place, `"${name}" is an invalid header name.`);
  if (!isValue(trimmed)) fail(place, `"${trimmed}" is an invalid header value.`);
  return trimmed;
}

/// Appends pairs as `convertInit` gives them.
function fill(list, pairs) {
  for (const pair of pairs) {
    if (pair.length !== 2) fail(CONSTRUCTOR, `expected name/value pair to be length 2, found ${pair.length}.`);
    const [name, value] = pair;
    list.append(name, checked(name, value, 'Headers.append'));
  }
}

class Headers {
  #list;
  #guard = 'none';

  constructor(init = undefined) {
    if (init === kMake) {
      this.#list = arguments[1];
      this.#guard = arguments[2];
      return;
    }
    this.#list = new HeadersList();
    if (init !== undefined) fill(this.#list, convertInit(init));
  }

  static #of(self) {
    if (self === null || typeof self !== 'object' || !(#list in self)) throw illegalInvocation();
    return self.#list;
  }

  #change(work) {
    if (this.#guard === 'immutable') throw new TypeError('immutable');
    work(this.#list);
  }

  append(name, value) {
    Headers.#of(this);
    const place = 'Headers.append';
    requireArguments(arguments.length, 2, place);
    const key = byteString(name, place, 'name');
    const text = checked(key, byteString(value, place, 'value'), place);
    this.#change((list) => list.append(key, text));
  }

  delete(name) {
    Headers.#of(this);
    requireArguments(arguments.length, 1, 'Headers.delete');
    const key = Headers.#name(name, 'Headers.delete');
    this.#change((list) => list.delete(key));
  }

  get(name) {
    const list = Headers.#of(this);
    requireArguments(arguments.length, 1, 'Headers.get');
    return list.get(Headers.#name(name, 'Headers.get'));
  }

  has(name) {
    const list = Headers.#of(this);
    requireArguments(arguments.length, 1, 'Headers.has');
    return list.has(Headers.#name(name, 'Headers.has'));
  }

  set(name, value) {
    Headers.#of(this);
    const place = 'Headers.set';
    requireArguments(arguments.length, 2, place);
    const key = byteString(name, place, 'name');
    const text = checked(key, byteString(value, place, 'value'), place);
    this.#change((list) => list.set(key, text));
  }

  getSetCookie() {
    return Headers.#of(this).cookies?.slice() ?? [];
  }

  [kInspect](depth, options) {
    options.depth ??= depth;
    return `Headers ${require('util').formatWithOptions(options, Headers.#of(this).object)}`;
  }

  static #name(name, place) {
    const key = byteString(name, place, 'name');
    if (!isToken(key)) fail(place, `"${key}" is an invalid header name.`);
    return key;
  }

  static {
    listOf = (headers) => (headers !== null && typeof headers === 'object' && #list in headers ? headers.#list : undefined);
    guardOf = (headers) => headers.#guard;
    makeHeaders = (list, guard) => new Headers(kMake, list, guard);
    iterable(Headers, 'Headers', (self, number) => Headers.#of(self).at(number));
  }
}

finishClass(Headers, ['append', 'delete', 'get', 'has', 'set', 'getSetCookie']);

module.exports = { Headers, HeadersList, convertInit, fill, guardOf, isToken, makeHeaders };
