// Intl.PluralRules in English.
'use strict';

const { option, resolve, finish, stateOf, toOptions } = require('internal/intl/locale');
const number = require('internal/intl/number');
const decimals = require('internal/intl/decimal');

const SERVICE = 'Intl.PluralRules';
const states = new WeakMap();

function cardinal(whole, fraction) {
  return whole === '1' && fraction === '' ? 'one' : 'other';
}

function ordinal(whole, fraction) {
  if (/[1-9]/.test(fraction) || /1[123]$/.test(whole)) return 'other';
  return { __proto__: null, 1: 'one', 2: 'two', 3: 'few' }[whole.at(-1)] ?? 'other';
}

function select(state, value) {
  if (typeof value === 'number') return 'other';
  const result = number.rounded(state, value);
  const { whole, fraction } = decimals.split(result.decimal, state.minimumIntegerDigits, result.minimum);
  return state.type === 'ordinal' ? ordinal(whole, fraction) : cardinal(whole, fraction);
}
exports.cardinalOf = (value) => select({ type: 'cardinal', minimumIntegerDigits: 1, minimumFractionDigits: 0, maximumFractionDigits: 3, roundingIncrement: 1 }, value);

function PluralRules(locales = undefined, options = undefined) {
  if (new.target === undefined) throw new TypeError(`Constructor ${SERVICE} requires 'new'`);
  const { locale } = resolve(locales);
  options = toOptions(options);
  option(SERVICE, options, 'localeMatcher', ['lookup', 'best fit']);
  const state = { locale, type: option(SERVICE, options, 'type', ['cardinal', 'ordinal'], 'cardinal') };
  number.readDigits(state, options, 0, 3);
  states.set(this, state);
}

exports.PluralRules = finish(PluralRules, SERVICE, {
  resolvedOptions() {
    const state = stateOf(states, this, `${SERVICE}.prototype.resolvedOptions`);
    const shown = { locale: state.locale, type: state.type, minimumIntegerDigits: state.minimumIntegerDigits };
    for (const name of ['minimumFractionDigits', 'maximumFractionDigits', 'minimumSignificantDigits', 'maximumSignificantDigits']) {
      if (state[name] !== undefined) shown[name] = state[name];
    }
    shown.pluralCategories = state.type === 'ordinal' ? ['few', 'one', 'two', 'other'] : ['one', 'other'];
    return shown;
  },
  select(value) {
    return select(stateOf(states, this, `${SERVICE}.prototype.select`), number.numeric(Number(value)));
  },
  selectRange(start, end) {
    const state = stateOf(states, this, `${SERVICE}.prototype.selectRange`);
    if (start === undefined || end === undefined) throw new TypeError('Invalid number value');
    if (Number.isNaN(Number(start)) || Number.isNaN(Number(end))) throw new RangeError('Invalid number value');
    return state.type === 'ordinal' ? select(state, number.numeric(Number(end))) : 'other';
  },
});
