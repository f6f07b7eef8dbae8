// Date: the present comes from the world's clock, local time from the zone of the run. Instants and UTC
// are left to the engine's own Date.
// Uses binding.wallClock, binding.zones.
'use strict';

// The engine's own Date asks the system for the time: nobody who replaces these gets it.
const { apply, construct, defineProperty } = require('internal/kept');

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
// Places in what zones.fields gives.
const YEAR = 0, MONTH = 1, DATE = 2, HOURS = 3, MINUTES = 4, SECONDS = 5, MILLISECONDS = 6, DAY = 7;

const ISO = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/// The class, above the engine's own, whose prototype it shares.
exports.make = function make(EngineDate) {
  const { wallClock } = binding;
  const prototype = EngineDate.prototype;
  const { getTime, setTime, toISOString } = prototype;
  const { UTC, parse: parseFast } = EngineDate;

  // The zone is loaded with the first question about local time: Date.now() has none.
  let zone;
  let natives;
  let current = () => {
    zone = require('internal/zone');
    ({ natives, current } = zone);
    return current();
  };
  const field = (time, which) => {
    const at = current();
    return natives.field(at, time, which);
  };
  const fieldsOf = (time) => {
    const at = current();
    return natives.fields(at, time);
  };
  const withFields = (time, first, values) => {
    const at = current();
    return natives.set(at, time, first, ...values);
  };
  const toInstant = (local) => {
    const at = current();
    return natives.instant(at, local);
  };
  const minutesAhead = (time) => {
    const at = current();
    return Math.trunc(natives.offset(at, time) / 60);
  };

  function timeOf(date) {
    try {
      return apply(getTime, date, []);
    } catch {
      throw new TypeError('this is not a Date object.');
    }
  }

  function receiver(date, method) {
    try {
      return apply(getTime, date, []);
    } catch {
      const shown = typeof date === 'object' && date !== null ? `#<${date.constructor?.name ?? 'Object'}>` : String(date);
      throw new TypeError(`Method Date.prototype.${method} called on incompatible receiver ${shown}`);
    }
  }

  function parse(text) {
    // The engine reads what ECMA-262 asks for, when told that it is UTC.
    const iso = ISO.exec(text);
    if (iso !== null) {
      const isLocal = iso[1] !== undefined && iso[2] === undefined;
      const time = parseFast(isLocal ? `${text}Z` : text);
      if (time === time) return isLocal ? toInstant(time) : time;
    }
    return require('internal/date_parse').parse(text, UTC, toInstant);
  }

  function fromOne(value) {
    if (typeof value === 'number') return value;
    let time;
    try {
      if (typeof value === 'object' && value !== null) time = apply(getTime, value, []);
    } catch {
      // Not a Date: by its primitive value.
    }
    if (time !== undefined) return time;
    if (typeof value === 'object' && value !== null || typeof value === 'function') value = primitive(value);
    return typeof value === 'string' ? parse(value) : +value;
  }

  function fromParts(args) {
    const values = [];
    for (const arg of args.length > 7 ? args.slice(0, 7) : args) values.push(+arg);
    const year = Math.trunc(values[0]);
    if (year >= 0 && year <= 99) values[0] = 1900 + year;
    return withFields(NaN, YEAR, values);
  }

  function HemiolaDate(...args) {
    if (new.target === undefined) {
      const now = wallClock();
      return dateString(now) + ' ' + timeString(now);
    }
    const time = args.length === 0 ? wallClock() : args.length === 1 ? fromOne(args[0]) : fromParts(args);
    // They have one prototype, which nobody can change.
    return new.target === HemiolaDate ? new EngineDate(time) : construct(EngineDate, [time], new.target);
  }
  const hidden = (target, name, value) =>
    defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  defineProperty(HemiolaDate, 'name', { __proto__: null, value: 'Date', configurable: true });
  defineProperty(HemiolaDate, 'length', { __proto__: null, value: 7, configurable: true });
  defineProperty(HemiolaDate, 'prototype', { __proto__: null, value: prototype, writable: false });
  hidden(prototype, 'constructor', HemiolaDate);
  hidden(HemiolaDate, 'now', { now() { return wallClock(); } }.now);
  hidden(HemiolaDate, 'parse', { parse(text) { return parse(`${text}`); } }.parse);
  hidden(HemiolaDate, 'UTC', UTC);

  function setter(method, first, count) {
    return function(date, args) {
      const time = receiver(date, method);
      const values = [];
      for (let at = 0; at < count && (at < args.length || at === 0); at++) values.push(+args[at]);
      if (time !== time && first !== YEAR) return NaN;
      return apply(setTime, date, [withFields(time, first, values)]);
    };
  }
  const setFullYear = setter('setFullYear', YEAR, 3);
  const setMonth = setter('setMonth', MONTH, 2);
  const setDate = setter('setDate', DATE, 1);
  const setHours = setter('setHours', HOURS, 4);
  const setMinutes = setter('setMinutes', MINUTES, 3);
  const setSeconds = setter('setSeconds', SECONDS, 2);
  const setMilliseconds = setter('setMilliseconds', MILLISECONDS, 1);

  // "Sun Nov 15 2026"
  function dateString(time) {
    const fields = fieldsOf(time);
    const year = fields[YEAR];
    const shown = (year < 0 ? '-' : '') + String(Math.abs(year)).padStart(4, '0');
    return `${WEEKDAYS[fields[DAY]]} ${MONTHS[fields[MONTH]]} ${two(fields[DATE])} ${shown}`;
  }

  // "18:00:00 GMT+0100 (Central European Standard Time)"
  function timeString(time) {
    const fields = fieldsOf(time);
    const minutes = minutesAhead(time);
    const ahead = Math.abs(minutes);
    const offset = (minutes < 0 ? '-' : '+') + two(Math.trunc(ahead / 60)) + two(ahead % 60);
    return `${two(fields[HOURS])}:${two(fields[MINUTES])}:${two(fields[SECONDS])} GMT${offset} (${zone.longName(time)})`;
  }

  const methods = {
    toString() {
      const time = receiver(this, 'toString');
      return time !== time ? 'Invalid Date' : dateString(time) + ' ' + timeString(time);
    },
    toDateString() {
      const time = receiver(this, 'toDateString');
      return time !== time ? 'Invalid Date' : dateString(time);
    },
    toTimeString() {
      const time = receiver(this, 'toTimeString');
      return time !== time ? 'Invalid Date' : timeString(time);
    },
    toISOString() {
      const time = receiver(this, 'toISOString');
      if (time !== time) throw new RangeError('Invalid time value');
      return apply(toISOString, this, []);
    },
    getFullYear() { return field(timeOf(this), YEAR); },
    getMonth() { return field(timeOf(this), MONTH); },
    getDate() { return field(timeOf(this), DATE); },
    getDay() { return field(timeOf(this), DAY); },
    getHours() { return field(timeOf(this), HOURS); },
    getMinutes() { return field(timeOf(this), MINUTES); },
    getSeconds() { return field(timeOf(this), SECONDS); },
    getMilliseconds() { return field(timeOf(this), MILLISECONDS); },
    getTimezoneOffset() {
      const time = timeOf(this);
      return time !== time ? NaN : 0 - minutesAhead(time);
    },
    getYear() { return field(receiver(this, 'getYear'), YEAR) - 1900; },
    setFullYear(year, month, day) { return setFullYear(this, arguments); },
    setMonth(month, day) { return setMonth(this, arguments); },
    setDate(day) { return setDate(this, arguments); },
    setHours(hour, minute, second, millisecond) { return setHours(this, arguments); },
    setMinutes(minute, second, millisecond) { return setMinutes(this, arguments); },
    setSeconds(second, millisecond) { return setSeconds(this, arguments); },
    setMilliseconds(millisecond) { return setMilliseconds(this, arguments); },
    setYear(year) {
      receiver(this, 'setYear');
      year = +year;
      const whole = Math.trunc(year);
      return setFullYear(this, [whole >= 0 && whole <= 99 ? 1900 + whole : year]);
    },
    toLocaleString(locales = undefined, options = undefined) {
      return locale(receiver(this, 'toLocaleString'), locales, options, 'any', 'all');
    },
    toLocaleDateString(locales = undefined, options = undefined) {
      return locale(receiver(this, 'toLocaleDateString'), locales, options, 'date', 'date');
    },
    toLocaleTimeString(locales = undefined, options = undefined) {
      return locale(receiver(this, 'toLocaleTimeString'), locales, options, 'time', 'time');
    },
  };
  for (const name of Object.keys(methods)) hidden(prototype, name, methods[name]);
  return HemiolaDate;
};

function locale(time, locales, options, required, defaults) {
  return time !== time ? 'Invalid Date' : require('internal/intl/datetime').toLocale(time, locales, options, required, defaults);
}

function two(number) {
  return number < 10 ? `0${number}` : `${number}`;
}

// What ECMA-262 calls ToPrimitive, without a hint.
function primitive(value) {
  const convert = value[Symbol.toPrimitive];
  if (convert !== undefined && convert !== null) {
    const result = Reflect.apply(convert, value, ['default']);
    if (typeof result !== 'object' && typeof result !== 'function' || result === null) return result;
  } else {
    for (const name of ['valueOf', 'toString']) {
      const method = value[name];
      if (typeof method !== 'function') continue;
      const result = Reflect.apply(method, value, []);
      if (typeof result !== 'object' && typeof result !== 'function' || result === null) return result;
    }
  }
  throw new TypeError('Cannot convert object to primitive value');
}
