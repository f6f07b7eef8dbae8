// Intl.RelativeTimeFormat in English.
'use strict';

const { checkNumberingSystem, option, resolve, finish, stateOf, toOptions } = require('internal/intl/locale');
const number = require('internal/intl/number');

const SERVICE = 'Intl.RelativeTimeFormat';
const states = new WeakMap();

// Short for one, short for more, narrow.
const UNITS = {
  __proto__: null,
  year: ['yr.', 'yr.', 'y'], quarter: ['qtr.', 'qtrs.', 'q'], month: ['mo.', 'mo.', 'mo'], week: ['wk.', 'wk.', 'w'],
  day: ['day', 'days', 'd'], hour: ['hr.', 'hr.', 'h'], minute: ['min.', 'min.', 'm'], second: ['sec.', 'sec.', 's'],
};

// The word for one that is past, present or next, where there is one.
function word(unit, style, value) {
  if (unit === 'second') return value === 0 ? 'now' : undefined;
  if (unit === 'minute' || unit === 'hour') return value === 0 ? `this ${unit}` : undefined;
  if (unit === 'day') return { __proto__: null, '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[value];
  const which = { __proto__: null, '-1': 'last', 0: 'this', 1: 'next' }[value];
  return which && `${which} ${style === 'long' ? unit : UNITS[unit][0]}`;
}

function partsOf(state, method, value, unit) {
  value = Number(value);
  const name = `${SERVICE}.prototype.${method}()`;
  const single = String(unit).replace(/s$/, '');
  if (!(single in UNITS)) throw new RangeError(`Invalid unit argument for ${name} '${unit}'`);
  if (!Number.isFinite(value)) throw new RangeError(`Value need to be finite number for ${name}`);
  if (state.numeric === 'auto') {
    const text = word(single, state.style, value);
    if (text !== undefined) return [{ type: 'literal', value: text }];
  }
  const amount = number.numeric(Math.abs(value));
  state.numbers ??= number.create(state.locale);
  const parts = number.partsOf(state.numbers, amount).map((part) => ({ ...part, unit: single }));
  const isOne = require('internal/intl/plural').cardinalOf(amount) === 'one';
  const [one, other, narrow] = UNITS[single];
  const shown = state.style === 'narrow' ? narrow : state.style === 'short' ? ` ${isOne ? one : other}` : ` ${single}${isOne ? '' : 's'}`;
  if (value < 0 || Object.is(value, -0)) return [...parts, { type: 'literal', value: `${shown} ago` }];
  return [{ type: 'literal', value: 'in ' }, ...parts, { type: 'literal', value: shown }];
}

function RelativeTimeFormat(locales = undefined, options = undefined) {
  if (new.target === undefined) throw new TypeError(`Constructor ${SERVICE} requires 'new'`);
  const { locale } = resolve(locales);
  options = toOptions(options);
  option(SERVICE, options, 'localeMatcher', ['lookup', 'best fit']);
  checkNumberingSystem(SERVICE, options);
  const style = option(SERVICE, options, 'style', ['long', 'short', 'narrow'], 'long');
  const numeric = option(SERVICE, options, 'numeric', ['always', 'auto'], 'always');
  states.set(this, { locale, style, numeric });
}

exports.RelativeTimeFormat = finish(RelativeTimeFormat, SERVICE, {
  resolvedOptions() {
    const { locale, style, numeric } = stateOf(states, this, `${SERVICE}.prototype.resolvedOptions`);
    return { locale, style, numeric, numberingSystem: 'latn' };
  },
  format(value, unit) {
    return number.join(partsOf(stateOf(states, this, `${SERVICE}.prototype.format`), 'format', value, unit));
  },
  formatToParts(value, unit) {
    return partsOf(stateOf(states, this, `${SERVICE}.prototype.formatToParts`), 'formatToParts', value, unit);
  },
});
