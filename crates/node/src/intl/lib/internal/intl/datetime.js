// Intl.DateTimeFormat, in English and in the zones of the database.
'use strict';

const { option, numberOption, resolve, finish, stateOf, toOptions } = require('internal/intl/locale');
const patterns = require('internal/intl/patterns');
const zone = require('internal/zone');

const SERVICE = 'Intl.DateTimeFormat';
const DIGITS = ['numeric', '2-digit'];
const NAMES = ['narrow', 'short', 'long'];
const STYLES = ['full', 'long', 'medium', 'short'];
const CYCLES = ['h11', 'h12', 'h23', 'h24'];
// The fields, in the order in which they are read and shown, with their widths.
const FIELDS = [
  ['weekday', NAMES], ['era', NAMES], ['year', DIGITS], ['month', [...DIGITS, ...NAMES]], ['day', DIGITS],
  ['dayPeriod', NAMES], ['hour', DIGITS], ['minute', DIGITS], ['second', DIGITS], ['fractionalSecondDigits'],
  ['timeZoneName', ['long', 'short', 'longOffset', 'shortOffset', 'longGeneric', 'shortGeneric']],
];
const DATE = ['weekday', 'year', 'month', 'day'];
const TIME = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];

const states = new WeakMap();

// Reads the options of a formatter. `required` says which fields spare it the defaults, `defaults` which
// those are.
function create(locales, options, required, defaults) {
  const { locale, keys } = resolve(locales);
  options = toOptions(options);
  option(SERVICE, options, 'localeMatcher', ['lookup', 'best fit']);
  for (const name of ['calendar', 'numberingSystem']) {
    const value = option(SERVICE, options, name);
    if (value !== undefined && !/^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i.test(value)) throw new RangeError(`Invalid ${name} : ${value}`);
  }
  const hour12 = options.hour12 === undefined ? undefined : Boolean(options.hour12);
  let hourCycle = option(SERVICE, options, 'hourCycle', CYCLES);
  if (hour12 !== undefined) hourCycle = undefined;
  else if (hourCycle === undefined && CYCLES.includes(keys.hc)) hourCycle = keys.hc;
  const state = { locale, keys, fields: { __proto__: null }, ...openZone(options.timeZone) };
  const wanted = { __proto__: null };
  for (const [name, widths] of FIELDS) {
    const value = widths === undefined ? numberOption(options, name, 1, 3) : option(SERVICE, options, name, widths);
    if (value !== undefined) wanted[name] = value;
  }
  option(SERVICE, options, 'formatMatcher', ['basic', 'best fit']);
  state.dateStyle = option(SERVICE, options, 'dateStyle', STYLES);
  state.timeStyle = option(SERVICE, options, 'timeStyle', STYLES);
  if (state.dateStyle !== undefined || state.timeStyle !== undefined) {
    const [field] = Object.keys(wanted);
    const style = state.dateStyle === undefined ? 'timeStyle' : 'dateStyle';
    if (field !== undefined) throw new TypeError(`Can't set option ${field} when ${style} is used`);
    if (required === 'date' && state.timeStyle !== undefined) throw new TypeError('Invalid option : timeStyle');
    if (required === 'time' && state.dateStyle !== undefined) throw new TypeError('Invalid option : dateStyle');
    state.fields = patterns.styleFields(locale, state.dateStyle, state.timeStyle);
  } else {
    const has = (names) => names.some((name) => wanted[name] !== undefined);
    const needsDefaults = !(required !== 'time' && has(DATE) || required !== 'date' && has(TIME));
    if (needsDefaults && defaults !== 'time') wanted.year = wanted.month = wanted.day = 'numeric';
    if (needsDefaults && defaults !== 'date') wanted.hour = wanted.minute = wanted.second = 'numeric';
    state.fields = wanted;
  }
  if (state.fields.hour !== undefined) {
    const isBritish = locale === 'en-GB';
    // Node 20's choice for hour12, which later editions of the standard changed.
    if (hour12 !== undefined) hourCycle = hour12 ? isBritish ? 'h11' : 'h12' : isBritish ? 'h23' : 'h24';
    state.cycle = hourCycle ?? (isBritish ? 'h23' : 'h12');
  }
  state.pattern = patterns.fromFields(locale, state.fields, state.cycle);
  return state;
}

// The zone of a formatter: its number and the name that it goes by.
function openZone(name) {
  const { canonical } = require('internal/intl/zone_names');
  if (name === undefined) return { zone: zone.current(), timeZone: canonical(zone.currentName()) };
  name = String(name);
  const refuse = () => {
    throw new RangeError(`Invalid time zone specified: ${name}`);
  };
  const offset = /^([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?$/.exec(name);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    const sign = offset[1] === '-' && minutes > 0 ? '-' : '+';
    return { zone: zone.natives.fixed((sign === '-' ? -60 : 60) * minutes), timeZone: `${sign}${offset[2]}:${offset[3] ?? '00'}` };
  }
  const number = zone.natives.open(name);
  if (number < 0 || /^(?:Etc\/Unknown|Factory)$/i.test(name)) refuse();
  return { zone: number, timeZone: canonical(zone.natives.name(number) ?? 'UTC') };
}

// The instant of an argument.
function instantOf(date) {
  const time = date === undefined ? Date.now() : Number(date);
  if (!(Math.abs(time) <= 8.64e15)) throw new RangeError('Invalid time value');
  return Math.trunc(time);
}

function partsOf(state, time) {
  return patterns.toParts(state.pattern, zone.natives.fields(state.zone, time), state, time);
}

function join(parts) {
  let text = '';
  for (const { value } of parts) text += value;
  return text;
}

// Parts and ranges have a narrow space in front of AM and PM; the plain text, as in Node, an ordinary one.
function textOf(state, time) {
  return join(partsOf(state, time)).replace('\u202F', ' ');
}

function rangeOf(state, start, end) {
  if (start === undefined || end === undefined) throw new TypeError('Invalid time value');
  return require('internal/intl/range').toParts(state, instantOf(start), instantOf(end));
}

function DateTimeFormat(locales = undefined, options = undefined) {
  const state = create(locales, options, 'any', 'date');
  const format = new.target === undefined ? Object.create(DateTimeFormat.prototype) : this;
  states.set(format, state);
  return format;
}

finish(DateTimeFormat, SERVICE, {
  resolvedOptions() {
    const state = stateOf(states, this, 'UnwrapDateTimeFormat');
    const hc = state.cycle !== undefined && state.keys.hc === state.cycle ? `-u-hc-${state.cycle}` : '';
    const shown = {
      locale: state.locale + hc, calendar: 'gregory', numberingSystem: 'latn', timeZone: state.timeZone,
    };
    if (state.cycle !== undefined) {
      shown.hourCycle = state.cycle;
      shown.hour12 = state.cycle === 'h11' || state.cycle === 'h12';
    }
    if (state.dateStyle === undefined && state.timeStyle === undefined) {
      for (const [name] of FIELDS) if (state.fields[name] !== undefined) shown[name] = state.fields[name];
    }
    if (state.dateStyle !== undefined) shown.dateStyle = state.dateStyle;
    if (state.timeStyle !== undefined) shown.timeStyle = state.timeStyle;
    return shown;
  },
  formatToParts(date) {
    return partsOf(stateOf(states, this, `${SERVICE}.prototype.formatToParts`), instantOf(date));
  },
  get format() {
    const state = stateOf(states, this, 'UnwrapDateTimeFormat');
    state.bound ??= Object.defineProperty((date) => textOf(state, instantOf(date)), 'name', { value: '' });
    return state.bound;
  },
  formatRange(start, end) {
    const parts = rangeOf(stateOf(states, this, `${SERVICE}.prototype.formatRange`), start, end);
    const text = join(parts);
    return parts.every(({ source }) => source === 'shared') ? text.replace('\u202F', ' ') : text;
  },
  formatRangeToParts(start, end) {
    return rangeOf(stateOf(states, this, `${SERVICE}.prototype.formatRangeToParts`), start, end);
  },
});

exports.DateTimeFormat = DateTimeFormat;

// What toLocaleString and its kin are made with most: no arguments, one zone.
let last;
exports.toLocale = function toLocale(time, locales, options, required, defaults) {
  let state;
  if (locales === undefined && options === undefined) {
    const number = zone.current();
    if (last?.required !== required || last.zone !== number) last = { required, zone: number, state: create(locales, options, required, defaults) };
    ({ state } = last);
  } else {
    state = create(locales, options, required, defaults);
  }
  return textOf(state, time);
};
