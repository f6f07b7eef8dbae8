// The global Intl, in English. Its parts are loaded when a program first asks for them.
'use strict';

const { canonicalLocales, hidden } = require('internal/intl/locale');

const Intl = {};
Object.defineProperty(Intl, Symbol.toStringTag, { __proto__: null, value: 'Intl', configurable: true });

hidden(Intl, 'getCanonicalLocales', {
  getCanonicalLocales(locales) { return canonicalLocales(locales); },
}.getCanonicalLocales);

hidden(Intl, 'supportedValuesOf', {
  supportedValuesOf(key) {
    switch (`${key}`) {
      case 'timeZone': return require('internal/intl/zone_names').supported();
      case 'calendar': return ['gregory', 'iso8601'];
      case 'collation': return ['emoji', 'eor'];
      case 'currency': return Object.keys(require('internal/intl/number_data').currencies).sort();
      case 'numberingSystem': return ['latn'];
      case 'unit': return Object.keys(require('internal/intl/number_data').units);
      default: throw new RangeError(`Invalid key : ${key}`);
    }
  },
}.supportedValuesOf);

for (const [name, file] of [
  ['DateTimeFormat', 'datetime'], ['NumberFormat', 'number'], ['Collator', 'collator'], ['PluralRules', 'plural'],
  ['RelativeTimeFormat', 'relative'], ['ListFormat', 'list'], ['Locale', 'locale_object'], ['Segmenter', 'segmenter'],
]) {
  Object.defineProperty(Intl, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      const value = require(`internal/intl/${file}`)[name];
      hidden(Intl, name, value);
      return value;
    },
    set(value) { hidden(Intl, name, value); },
  });
}

module.exports = Intl;
