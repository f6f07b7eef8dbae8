// Intl.ListFormat in English.
'use strict';

const { option, resolve, finish, stateOf, toOptions } = require('internal/intl/locale');

const SERVICE = 'Intl.ListFormat';
const states = new WeakMap();

// What stands between two elements, between the first of several, and in front of the last of them.
function separators({ type, style, locale }) {
  if (type === 'unit') return style === 'narrow' ? [' ', ' ', ' '] : [', ', ', ', ', '];
  if (type === 'conjunction' && style === 'narrow') return [', ', ', ', ', '];
  const isBritish = locale === 'en-GB';
  const word = type === 'disjunction' ? 'or' : style === 'short' && !isBritish ? '&' : 'and';
  return [` ${word} `, ', ', isBritish ? ` ${word} ` : `, ${word} `];
}

function partsOf(state, list) {
  const elements = [];
  for (const element of list ?? []) {
    if (typeof element !== 'string') throw new TypeError(`Iterable yielded ${String(element)} which is not a string`);
    elements.push(element);
  }
  const [pair, middle, last] = separators(state);
  const parts = [];
  elements.forEach((value, at) => {
    if (at > 0) parts.push({ type: 'literal', value: elements.length === 2 ? pair : at === elements.length - 1 ? last : middle });
    parts.push({ type: 'element', value });
  });
  return parts;
}

function ListFormat(locales = undefined, options = undefined) {
  if (new.target === undefined) throw new TypeError(`Constructor ${SERVICE} requires 'new'`);
  const { locale } = resolve(locales);
  options = toOptions(options);
  option(SERVICE, options, 'localeMatcher', ['lookup', 'best fit']);
  const type = option(SERVICE, options, 'type', ['conjunction', 'disjunction', 'unit'], 'conjunction');
  const style = option(SERVICE, options, 'style', ['long', 'short', 'narrow'], 'long');
  states.set(this, { locale, type, style });
}

exports.ListFormat = finish(ListFormat, SERVICE, {
  resolvedOptions() {
    return { ...stateOf(states, this, `${SERVICE}.prototype.resolvedOptions`) };
  },
  format(list) {
    return partsOf(stateOf(states, this, `${SERVICE}.prototype.format`), list).map(({ value }) => value).join('');
  },
  formatToParts(list) {
    return partsOf(stateOf(states, this, `${SERVICE}.prototype.formatToParts`), list);
  },
});
