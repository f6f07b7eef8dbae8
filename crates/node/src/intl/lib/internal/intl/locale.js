// Language tags. The library speaks English: en, en-US and en-GB; whatever else a program asks for is
// answered in the default, en-US. Only the order of texts is known for other languages, too.
'use strict';

const DEFAULT = 'en-US';
const KNOWN = ['en', 'en-US', 'en-GB'];

const LANGUAGE = /^(?:[a-z]{2,3}|[a-z]{5,8})$/i;
const SCRIPT = /^[a-z]{4}$/i;
const REGION = /^(?:[a-z]{2}|[0-9]{3})$/i;
const VARIANT = /^(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})$/i;

// Older names of languages; one has become a script of another.
const RENAMED = { __proto__: null, in: 'id', iw: 'he', ji: 'yi', mo: 'ro', sh: 'sr', tl: 'fil' };

// The canonical form of a tag; what is not well-formed is refused.
function canonicalize(tag) {
  const refuse = () => {
    throw new RangeError(`Invalid language tag: ${tag.toLowerCase()}`);
  };
  const parts = tag.split('-');
  if (!LANGUAGE.test(parts[0])) throw new RangeError('Incorrect locale information provided');
  if (parts.some((part) => !/^[a-z0-9]{1,8}$/i.test(part))) refuse();
  const given = parts[0].toLowerCase();
  const shown = [RENAMED[given] ?? given];
  let at = 1;
  if (at < parts.length && SCRIPT.test(parts[at])) {
    const script = parts[at++];
    shown.push(script[0].toUpperCase() + script.slice(1).toLowerCase());
  } else if (given === 'sh') {
    shown.push('Latn');
  }
  if (at < parts.length && REGION.test(parts[at])) shown.push(parts[at++].toUpperCase());
  const variants = [];
  while (at < parts.length && VARIANT.test(parts[at])) variants.push(parts[at++].toLowerCase());
  if (new Set(variants).size < variants.length) refuse();
  shown.push(...variants.sort());
  // Extensions, in the order of their letters; private use comes last.
  const extensions = [];
  while (at < parts.length) {
    const letter = parts[at++].toLowerCase();
    if (letter.length !== 1) refuse();
    let words = [letter];
    while (at < parts.length && (letter === 'x' || parts[at].length > 1)) words.push(parts[at++].toLowerCase());
    // What is only said to be so is so by itself.
    if (letter === 'u') words = words.filter((word) => word !== 'true');
    if (words.length === 1 || extensions.some(([known]) => known === letter)) refuse();
    extensions.push(words);
  }
  extensions.sort(([a], [b]) => (a === 'x') - (b === 'x') || (a < b ? -1 : 1));
  return [...shown, ...extensions.flat()].join('-');
}

// The tags of a `locales` argument, canonical and each once.
exports.canonicalLocales = function canonicalLocales(locales) {
  if (locales === undefined) return [];
  if (locales === null) throw new TypeError('Cannot convert undefined or null to object');
  const list = typeof locales === 'string' || isLocale(locales) ? [locales] : Object(locales);
  const tags = [];
  const length = Math.min(Math.max(Math.trunc(Number(list.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
  for (let at = 0; at < length; at++) {
    if (!(at in list)) continue;
    const tag = list[at];
    if (typeof tag !== 'string' && (typeof tag !== 'object' || tag === null)) {
      throw new TypeError('Language ID should be string or object.');
    }
    const canonical = canonicalize(isLocale(tag) ? tag.toString() : String(tag));
    if (!tags.includes(canonical)) tags.push(canonical);
  }
  return tags;
};

function isLocale(value) {
  return typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Intl.Locale]';
}

// The tag without its extensions, and the words of its Unicode extension by key.
exports.split = function split(tag) {
  const [base, ...rest] = tag.split(/-(?=[a-z0-9]-)/i);
  const keys = { __proto__: null };
  const unicode = rest.find((extension) => extension.startsWith('u-'));
  let key;
  for (const word of unicode === undefined ? [] : unicode.split('-').slice(1)) {
    if (word.length === 2) keys[key = word] = '';
    else if (key !== undefined) keys[key] += (keys[key] === '' ? '' : '-') + word;
  }
  return { base, keys };
};

// What a constructor works with: the locale, and the keys of its extension.
exports.resolve = function resolve(locales) {
  for (const tag of exports.canonicalLocales(locales)) {
    const { base, keys } = exports.split(tag);
    if (KNOWN.includes(base)) return { locale: base, keys };
    // The first that is asked for decides; its extension goes with it.
    if (base.startsWith('en-')) return { locale: DEFAULT, keys };
  }
  return { locale: DEFAULT, keys: { __proto__: null } };
};

const isEnglish = (tag) => /^en(?:-|$)/.test(tag);

exports.supportedLocalesOf = function supportedLocalesOf(service, locales, options, isSupported = isEnglish) {
  const tags = exports.canonicalLocales(locales);
  const method = `${service}.supportedLocalesOf`;
  if (options === null) throw new TypeError(`${method} called on null or undefined`);
  if (options !== undefined) exports.option(method, Object(options), 'localeMatcher', ['lookup', 'best fit']);
  return tags.filter(isSupported);
};

// A string option that is one of some, or undefined.
exports.option = function option(service, options, name, allowed, fallback) {
  const value = options[name];
  if (value === undefined) return fallback;
  const text = String(value);
  if (allowed !== undefined && !allowed.includes(text)) {
    throw new RangeError(`Value ${text} out of range for ${service} options property ${name}`);
  }
  return text;
};

// Digits are those of English, whatever well-formed name is given.
exports.checkNumberingSystem = function checkNumberingSystem(service, options) {
  const system = exports.option(service, options, 'numberingSystem');
  if (system !== undefined && !/^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i.test(system)) throw new RangeError(`Invalid numberingSystem : ${system}`);
};

// A whole number option between bounds, or the fallback.
exports.numberOption = function numberOption(options, name, low, high, fallback) {
  const value = options[name];
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!(number >= low && number <= high)) throw new RangeError(`${name} value is out of range.`);
  return Math.floor(number);
};

// The `options` argument as constructors of the first editions take it.
exports.toOptions = function toOptions(options) {
  if (options === undefined) return { __proto__: null };
  if (options === null) throw new TypeError('Cannot convert undefined or null to object');
  return Object(options);
};

exports.hidden = function hidden(target, name, value) {
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
};

// Gives a constructor its prototype's tag and its methods, none of which shows up in a loop. It speaks English, or the
// languages of which `isSupported` says so.
exports.finish = function finish(constructor, tag, methods, length = 0, isSupported = undefined) {
  Object.defineProperty(constructor, 'prototype', { __proto__: null, writable: false });
  Object.defineProperty(constructor, 'length', { __proto__: null, value: length, configurable: true });
  exports.hidden(constructor, 'supportedLocalesOf', {
    supportedLocalesOf(locales, options = undefined) { return exports.supportedLocalesOf(tag, locales, options, isSupported); },
  }.supportedLocalesOf);
  for (const name of Object.keys(methods)) {
    const { value, get } = Object.getOwnPropertyDescriptor(methods, name);
    if (get === undefined) exports.hidden(constructor.prototype, name, value);
    else Object.defineProperty(constructor.prototype, name, { __proto__: null, get, configurable: true, enumerable: false });
  }
  Object.defineProperty(constructor.prototype, Symbol.toStringTag, { __proto__: null, value: tag, configurable: true });
  return constructor;
};

// The state of a formatter, for a method that was called on it.
exports.stateOf = function stateOf(states, value, method) {
  const state = states.get(value);
  if (state !== undefined) return state;
  const shown = typeof value === 'object' && value !== null ? `#<${value.constructor?.name ?? 'Object'}>` : String(value);
  throw new TypeError(`Method ${method} called on incompatible receiver ${shown}`);
};
