// Intl.NumberFormat in English.
'use strict';

const { checkNumberingSystem, option, numberOption, resolve, finish, stateOf, toOptions } = require('internal/intl/locale');
const decimals = require('internal/intl/decimal');

const SERVICE = 'Intl.NumberFormat';
const SIGNS = ['auto', 'never', 'always', 'exceptZero', 'negative'];
const MODES = ['ceil', 'floor', 'expand', 'trunc', 'halfCeil', 'halfFloor', 'halfExpand', 'halfTrunc', 'halfEven'];
// American, British, long.
const COMPACT = [['K', 'k', 'thousand'], ['M', 'm', 'million'], ['B', 'bn', 'billion'], ['T', 'tn', 'trillion']];

const states = new WeakMap();

function create(locales, given) {
  const { locale } = resolve(locales);
  if (given === null) throw new TypeError(`${SERVICE} called on null or undefined`);
  const options = toOptions(given);
  const state = { locale };
  option(SERVICE, options, 'localeMatcher', ['lookup', 'best fit']);
  checkNumberingSystem(SERVICE, options);
  readStyle(state, options);
  state.notation = option(SERVICE, options, 'notation', ['standard', 'scientific', 'engineering', 'compact'], 'standard');
  const usual = state.style === 'currency' ? require('internal/intl/number_data').digits[state.currency] ?? 2 : undefined;
  readDigits(state, options, usual ?? 0, usual ?? (state.style === 'percent' ? 0 : 3));
  state.compactDisplay = option(SERVICE, options, 'compactDisplay', ['short', 'long'], 'short');
  state.useGrouping = readGrouping(options.useGrouping, state.notation === 'compact' ? 'min2' : 'auto');
  state.signDisplay = option(SERVICE, options, 'signDisplay', SIGNS, 'auto');
  return state;
}

function readStyle(state, options) {
  state.style = option(SERVICE, options, 'style', ['decimal', 'percent', 'currency', 'unit'], 'decimal');
  const currency = option(SERVICE, options, 'currency');
  if (currency !== undefined && !/^[a-z]{3}$/i.test(currency)) throw new RangeError(`Invalid currency code : ${currency}`);
  if (currency === undefined && state.style === 'currency') throw new TypeError('Currency code is required with currency style.');
  const currencyDisplay = option(SERVICE, options, 'currencyDisplay', ['code', 'symbol', 'narrowSymbol', 'name'], 'symbol');
  const currencySign = option(SERVICE, options, 'currencySign', ['standard', 'accounting'], 'standard');
  const unit = option(SERVICE, options, 'unit');
  if (unit !== undefined && !isUnit(unit)) throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
  if (unit === undefined && state.style === 'unit') throw new TypeError("Invalid unit argument for Intl.NumberFormat() ''");
  const unitDisplay = option(SERVICE, options, 'unitDisplay', ['short', 'narrow', 'long'], 'short');
  if (state.style === 'currency') Object.assign(state, { currency: currency.toUpperCase(), currencyDisplay, currencySign });
  if (state.style === 'unit') Object.assign(state, { unit, unitDisplay });
}

function isUnit(unit) {
  const { units } = require('internal/intl/number_data');
  return unit in units || unit.split('-per-').length === 2 && unit.split('-per-').every((part) => part in units);
}

function readDigits(state, options, minimumUsual, maximumUsual) {
  state.minimumIntegerDigits = numberOption(options, 'minimumIntegerDigits', 1, 21, 1);
  const minimum = options.minimumFractionDigits;
  const maximum = options.maximumFractionDigits;
  const minimumSignificant = options.minimumSignificantDigits;
  const maximumSignificant = options.maximumSignificantDigits;
  const increment = numberOption(options, 'roundingIncrement', 1, 5000, 1);
  if (![1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000].includes(increment)) {
    throw new RangeError('roundingIncrement value is out of range.');
  }
  state.roundingMode = option(SERVICE, options, 'roundingMode', MODES, 'halfExpand');
  const priority = option(SERVICE, options, 'roundingPriority', ['auto', 'morePrecision', 'lessPrecision'], 'auto');
  state.trailingZeroDisplay = option(SERVICE, options, 'trailingZeroDisplay', ['auto', 'stripIfInteger'], 'auto');
  state.roundingIncrement = increment;
  state.roundingPriority = priority;
  const wantsSignificant = minimumSignificant !== undefined || maximumSignificant !== undefined;
  const wantsFraction = minimum !== undefined || maximum !== undefined;
  if (wantsSignificant || priority !== 'auto') {
    state.minimumSignificantDigits = numberOption({ minimumSignificantDigits: minimumSignificant }, 'minimumSignificantDigits', 1, 21, 1);
    state.maximumSignificantDigits = numberOption(
      { maximumSignificantDigits: maximumSignificant }, 'maximumSignificantDigits', state.minimumSignificantDigits, 21, 21);
    if (priority === 'auto') return;
  }
  if (!wantsFraction && !wantsSignificant && priority === 'auto' && state.notation === 'compact') {
    Object.assign(state, {
      minimumSignificantDigits: 1, maximumSignificantDigits: 2, minimumFractionDigits: 0, maximumFractionDigits: 0,
      roundingPriority: 'morePrecision',
    });
    return;
  }
  let low = numberOption({ minimumFractionDigits: minimum }, 'minimumFractionDigits', 0, 20);
  let high = numberOption({ maximumFractionDigits: maximum }, 'maximumFractionDigits', 0, 20);
  if (low === undefined) low = Math.min(minimumUsual, high ?? minimumUsual);
  else if (high === undefined) high = Math.max(maximumUsual, low);
  else if (low > high) throw new RangeError('maximumFractionDigits value is out of range.');
  state.minimumFractionDigits = low;
  state.maximumFractionDigits = high ?? Math.max(maximumUsual, low);
}

function readGrouping(value, fallback) {
  if (value === undefined) return fallback;
  if (value === true) return 'always';
  if (!value) return false;
  const text = String(value);
  if (text === 'true' || text === 'false') return fallback;
  if (!['min2', 'auto', 'always'].includes(text)) {
    throw new RangeError(`Value ${text} out of range for ${SERVICE} options property useGrouping`);
  }
  return text;
}

// A decimal with the digits that are to be shown, and how many of them at least behind the point.
function rounded(state, decimal) {
  const bySignificant = () => {
    const places = state.maximumSignificantDigits - (decimals.isZero(decimal) ? 1 : decimal.point);
    const result = decimals.round(decimal, places, state.roundingMode);
    const shown = decimals.isZero(result) ? 1 : result.point;
    return { decimal: result, places, minimum: Math.max(state.minimumSignificantDigits - shown, 0) };
  };
  const byFraction = () => ({
    decimal: roundTo(state, decimal), places: state.maximumFractionDigits, minimum: state.minimumFractionDigits,
  });
  let result;
  if (state.minimumSignificantDigits === undefined) result = byFraction();
  else if (state.roundingPriority === 'auto') result = bySignificant();
  else {
    const [first, second] = [bySignificant(), byFraction()];
    const firstIsFiner = first.places > second.places;
    result = firstIsFiner === (state.roundingPriority === 'morePrecision') ? first : second;
  }
  if (state.trailingZeroDisplay === 'stripIfInteger' && result.decimal.digits.length <= result.decimal.point) result.minimum = 0;
  return result;
}

// By fraction digits, to a multiple of the increment.
function roundTo(state, decimal) {
  const { maximumFractionDigits: places, roundingIncrement: increment, roundingMode: mode } = state;
  if (increment === 1) return decimals.round(decimal, places, mode);
  // A multiple of 5 is a half multiple of 10, and so on: divide, round, multiply.
  const parts = decimals.split(decimals.shift(decimal, places), 1, 0);
  const scaled = BigInt(parts.whole + parts.fraction.padEnd(30, '0').slice(0, 30)) * 10000n / BigInt(increment);
  const quotient = decimals.shift(decimals.from(`${decimal.negative ? '-' : ''}${scaled}`), -34);
  const whole = decimals.split(decimals.round(quotient, 0, mode), 1, 0).whole;
  const value = decimals.from(`${decimal.negative ? '-' : ''}${BigInt(whole) * BigInt(increment)}`);
  return decimals.shift(value, -places);
}

// The power of ten that is not shown as digits, for a notation.
function exponentOf(state, decimal) {
  if (state.notation === 'standard' || decimals.isZero(decimal)) return 0;
  const magnitude = decimal.point - 1;
  if (state.notation === 'scientific') return magnitude;
  const thousands = Math.floor(magnitude / 3) * 3;
  return state.notation === 'engineering' ? thousands : Math.max(0, Math.min(thousands, 12));
}

function digitParts(state, decimal) {
  let exponent = exponentOf(state, decimal);
  let result = rounded(state, decimals.shift(decimal, -exponent));
  // Rounding may have made one digit more.
  const carried = decimals.isZero(result.decimal) ? exponent : exponentOf(state, decimals.shift(result.decimal, exponent));
  if (carried !== exponent) {
    exponent = carried;
    result = rounded(state, decimals.shift(decimal, -exponent));
  }
  const { whole, fraction } = decimals.split(result.decimal, state.minimumIntegerDigits, result.minimum);
  const parts = [];
  const grouping = state.notation === 'compact' && state.useGrouping === 'auto' ? 'min2' : state.useGrouping;
  if (grouping === false || whole.length < (grouping === 'min2' ? 5 : 4)) {
    parts.push({ type: 'integer', value: whole });
  } else {
    for (let at = whole.length % 3 || 3, from = 0; from < whole.length; from = at, at += 3) {
      if (from > 0) parts.push({ type: 'group', value: ',' });
      parts.push({ type: 'integer', value: whole.slice(from, at) });
    }
  }
  if (fraction !== '') parts.push({ type: 'decimal', value: '.' }, { type: 'fraction', value: fraction });
  if (state.notation === 'compact' && exponent > 0) {
    const [american, british, long] = COMPACT[exponent / 3 - 1];
    // A currency's symbol takes the short form only.
    const isLong = state.compactDisplay === 'long' && (state.style !== 'currency' || state.currencyDisplay === 'name');
    if (isLong) parts.push({ type: 'literal', value: ' ' }, { type: 'compact', value: long });
    else parts.push({ type: 'compact', value: state.locale === 'en-GB' ? british : american });
  } else if (state.notation === 'scientific' || state.notation === 'engineering') {
    parts.push({ type: 'exponentSeparator', value: 'E' });
    if (exponent < 0) parts.push({ type: 'exponentMinusSign', value: '-' });
    parts.push({ type: 'exponentInteger', value: String(Math.abs(exponent)) });
  }
  const isOne = /^0*1$/.test(whole) && fraction === '' && exponent === 0;
  return { parts, isZero: decimals.isZero(result.decimal), isOne };
}

// The parts of a number: NaN, an infinity, or a decimal.
function partsOf(state, value) {
  let body;
  let negative;
  if (typeof value === 'number') {
    negative = value < 0;
    const [type, text] = Number.isNaN(value) ? ['nan', 'NaN'] : ['infinity', '∞'];
    body = { parts: [{ type, value: text }], isZero: type === 'nan', isOne: false };
  } else {
    ({ negative } = value);
    body = digitParts(state, state.style === 'percent' ? decimals.shift(value, 2) : value);
  }
  const sign = signOf(state.signDisplay, negative, body.isZero);
  const parts = around(state, body);
  if (sign === '') return parts;
  // A suffix like that of millions takes the place of the parentheses.
  const isAccounting = state.currencySign === 'accounting' && state.currencyDisplay !== 'name';
  if (sign === '-' && isAccounting && !parts.some(({ type }) => type === 'compact')) {
    return [{ type: 'literal', value: '(' }, ...parts, { type: 'literal', value: ')' }];
  }
  return [sign === '-' ? { type: 'minusSign', value: '-' } : { type: 'plusSign', value: '+' }, ...parts];
}

function signOf(display, negative, isZero) {
  switch (display) {
    case 'never': return '';
    case 'always': return negative ? '-' : '+';
    case 'exceptZero': return isZero ? '' : negative ? '-' : '+';
    case 'negative': return negative && !isZero ? '-' : '';
    default: return negative ? '-' : '';
  }
}

// What the style puts in front of a number and behind it.
function around(state, { parts, isOne }) {
  switch (state.style) {
    case 'percent': return [...parts, { type: state.notation === 'compact' ? 'unit' : 'percentSign', value: '%' }];
    case 'currency': {
      const { currencies, british } = require('internal/intl/number_data');
      const { currency: code, currencyDisplay: display } = state;
      const known = currencies[code] ?? { symbol: code, narrow: code, one: code, other: code };
      if (display === 'name') return [...parts, { type: 'literal', value: ' ' }, { type: 'currency', value: isOne ? known.one : known.other }];
      let value = display === 'code' ? code : display === 'narrowSymbol' ? known.narrow : known.symbol;
      if (display === 'symbol' && state.locale === 'en-GB') value = british[code] ?? value;
      const shown = [{ type: 'currency', value }];
      // Letters keep their distance from digits.
      if (/\p{L}$/u.test(value) && parts[0].type === 'integer') shown.push({ type: 'literal', value: '\u00A0' });
      return [...shown, ...parts];
    }
    case 'unit': return [...parts, ...unitParts(state, isOne)];
    default: return parts;
  }
}

function unitParts({ locale, unit, unitDisplay }, isOne) {
  const data = require('internal/intl/number_data');
  const units = locale === 'en-GB' ? data.britishUnits : data.units;
  const [main, per] = unit in units ? [unit] : unit.split('-per-');
  let text = units[main][unitDisplay][isOne ? 0 : 1];
  if (per !== undefined) text += unitDisplay === 'long' ? ` per ${units[per].long[0]}` : `/${units[per].narrow[0]}`;
  if (unit === 'mile-per-hour' && unitDisplay !== 'long') text = 'mph';
  if (unit === 'mile-per-gallon' && unitDisplay !== 'long') text = 'mpg';
  const touches = unitDisplay === 'narrow' || unitDisplay === 'short' && /^[°%]/.test(text);
  const part = { type: 'unit', value: text };
  return touches ? [part] : [{ type: 'literal', value: ' ' }, part];
}

// A value as NaN, an infinity, or a decimal.
function numeric(value) {
  if (typeof value === 'object' && value !== null || typeof value === 'function') {
    value = value[Symbol.toPrimitive]?.('number') ?? value.valueOf();
    if (typeof value === 'object' && value !== null) value = String(value);
  }
  if (typeof value === 'bigint') return decimals.from(value);
  if (typeof value === 'string') {
    const text = value.trim();
    if (decimals.isLiteral(text)) return decimals.from(text);
  }
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a number');
  const number = Number(value);
  return Number.isFinite(number) ? decimals.from(number) : number;
}

function join(parts) {
  let text = '';
  for (const { value } of parts) text += value;
  return text;
}

function rangeOf(state, start, end) {
  if (start === undefined || end === undefined) throw new TypeError(`Invalid ${start === undefined ? 'start' : 'end'} : undefined`);
  const values = [numeric(start), numeric(end)];
  values.forEach((value, at) => {
    if (Number.isNaN(value)) throw new RangeError(`Invalid ${at === 0 ? 'start' : 'end'} : NaN`);
  });
  const [first, second] = values.map((value) => partsOf(state, value));
  if (join(first) === join(second)) {
    return [{ type: 'approximatelySign', value: '~', source: 'shared' }, ...first.map((part) => ({ ...part, source: 'shared' }))];
  }
  const between = state.style === 'decimal' && state.notation === 'standard' ? '–' : ' – ';
  return [
    ...first.map((part) => ({ ...part, source: 'startRange' })),
    { type: 'literal', value: between, source: 'shared' },
    ...second.map((part) => ({ ...part, source: 'endRange' })),
  ];
}

function NumberFormat(locales = undefined, options = undefined) {
  const state = create(locales, options);
  const format = new.target === undefined ? Object.create(NumberFormat.prototype) : this;
  states.set(format, state);
  return format;
}

// In the order in which they are shown.
const SHOWN = [
  'style', 'currency', 'currencyDisplay', 'currencySign', 'unit', 'unitDisplay', 'minimumIntegerDigits', 'minimumSignificantDigits',
  'maximumSignificantDigits', 'minimumFractionDigits', 'maximumFractionDigits', 'useGrouping', 'notation', 'compactDisplay',
  'signDisplay', 'roundingMode', 'roundingIncrement', 'trailingZeroDisplay', 'roundingPriority',
];

finish(NumberFormat, SERVICE, {
  resolvedOptions() {
    const state = stateOf(states, this, `${SERVICE}.prototype.resolvedOptions`);
    const shown = { locale: state.locale, numberingSystem: 'latn' };
    for (const name of SHOWN) {
      if (state[name] === undefined || name === 'compactDisplay' && state.notation !== 'compact') continue;
      shown[name] = state[name];
    }
    return shown;
  },
  formatToParts(value) {
    return partsOf(stateOf(states, this, `${SERVICE}.prototype.formatToParts`), numeric(value));
  },
  get format() {
    const state = stateOf(states, this, 'UnwrapNumberFormat');
    state.bound ??= Object.defineProperty((value) => join(partsOf(state, numeric(value))), 'name', { value: '' });
    return state.bound;
  },
  formatRange(start, end) {
    return join(rangeOf(stateOf(states, this, `${SERVICE}.prototype.formatRange`), start, end));
  },
  formatRangeToParts(start, end) {
    return rangeOf(stateOf(states, this, `${SERVICE}.prototype.formatRangeToParts`), start, end);
  },
});

exports.NumberFormat = NumberFormat;
exports.create = create;
exports.readDigits = readDigits;
exports.rounded = rounded;
exports.numeric = numeric;
exports.partsOf = partsOf;
exports.join = join;

let usual;
exports.toLocale = function toLocale(value, locales, options) {
  const state = locales === undefined && options === undefined ? usual ??= create(undefined, undefined) : create(locales, options);
  return join(partsOf(state, numeric(value)));
};
