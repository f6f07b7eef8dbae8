// What a date looks like in English: which fields in which order, and their texts.
//
// A pattern is a list of parts: a text is itself, a pair [field, width] stands for a field.
'use strict';

// By the fields that are there: w weekday, e era, y year, M month as a number or L as a name, d day. In a
// pattern a capital stands for the field, all else for itself.
const AMERICAN = {
  __proto__: null,
  d: 'D', M: 'M', Md: 'M/D', L: 'M', Ld: 'M D', y: 'Y', yd: 'Y (day: D)', yM: 'M/Y', yMd: 'M/D/Y', yL: 'M Y', yLd: 'M D, Y',
  e: 'E', ed: 'E (day: D)', eM: 'E (month: M)', eMd: 'M/D E', eL: 'E (month: M)', eLd: 'M D E', ey: 'Y E', eyd: 'Y E (day: D)',
  eyM: 'M/Y E', eyMd: 'M/D/Y E', eyL: 'M Y E', eyLd: 'M D, Y E',
  w: 'W', wd: 'D W', wM: 'M W', wMd: 'W, M/D', wL: 'M W', wLd: 'W, M D', wy: 'Y W', wyd: 'D W Y', wyM: 'M/Y W', wyMd: 'W, M/D/Y',
  wyL: 'M Y W', wyLd: 'W, M D, Y', we: 'E W', wed: 'D W E', weM: 'M E W', weMd: 'W, M/D E', weL: 'M E W', weLd: 'W, M D E',
  wey: 'Y E W', weyd: 'Y E (day: D W)', weyM: 'M/Y E W', weyMd: 'W, M/D/Y E', weyL: 'M Y E W', weyLd: 'W, M D, Y E',
};
// Where the British differ.
const BRITISH = {
  __proto__: AMERICAN,
  Md: 'D/M', Ld: 'D M', yMd: 'D/M/Y', yLd: 'D M Y', eMd: 'D/M E', eLd: 'D M E', eyMd: 'D/M/Y E', eyLd: 'D M Y E',
  wd: 'W D', wMd: 'W D/M', wLd: 'W D M', wyd: 'W D Y', wyMd: 'W, D/M/Y', wyLd: 'W, D M Y', wed: 'W D E', weMd: 'W D/M E',
  weLd: 'W D M E', weyd: 'Y E (day: W D)', weyMd: 'W, D/M/Y E', weyLd: 'W, D M Y E',
};
const FIELDS = { __proto__: null, W: 'weekday', E: 'era', Y: 'year', M: 'month', D: 'day' };
// Numbers that are shown with two digits although they were asked for as plain: always, or when both
// day and month were.
const PADDED = { __proto__: null, yM: 'any', eyMd: 'any', wMd: 'any', wyM: 'any', wyMd: 'any', weMd: 'any', Md: 'both', yMd: 'both', eMd: 'both' };

const isName = (month) => month === 'long' || month === 'short' || month === 'narrow';

// The pattern of the date's fields in `wanted`, which is changed to what is shown.
function datePattern(locale, wanted) {
  const { weekday, era, year, month, day } = wanted;
  const key = (weekday ? 'w' : '') + (era ? 'e' : '') + (year ? 'y' : '') +
    (month ? isName(month) ? 'L' : 'M' : '') + (day ? 'd' : '');
  if (key === '') return undefined;
  const isBritish = locale === 'en-GB';
  if (isBritish) {
    const rule = PADDED[key];
    if (rule === 'any' || rule === 'both' && month === 'numeric' && day === 'numeric') {
      wanted.month = '2-digit';
      if (day) wanted.day = '2-digit';
    }
  }
  const pattern = [];
  for (const piece of (isBritish ? BRITISH : AMERICAN)[key].split(/([WEYMD])/)) {
    const field = FIELDS[piece];
    if (field !== undefined) pattern.push([field, wanted[field]]);
    else if (piece !== '') pattern.push(piece);
  }
  return pattern;
}

// British hours from 0 to 23 have two digits, but for a plain one next to what was asked for with two.
function staysPlain({ weekday, day, month, year, minute, second, fractionalSecondDigits: fraction, timeZoneName }) {
  if (timeZoneName) return Boolean(second || fraction);
  if (weekday && !day && !month && !year) return false;
  return minute === '2-digit' && (second ? second === '2-digit' : !fraction);
}

// The pattern of the time's fields in `wanted`, which is changed to what is shown.
function timePattern(locale, wanted, cycle) {
  const { hour, minute, second, fractionalSecondDigits: fraction, dayPeriod, timeZoneName } = wanted;
  const isHalf = cycle === 'h11' || cycle === 'h12';
  const asked = { ...wanted };
  const pattern = [];
  let rest;
  if (minute && (hour || second || fraction)) {
    wanted.minute = '2-digit';
    if (second || fraction) wanted.second = '2-digit';
  } else {
    if (minute) wanted.minute = 'numeric';
    if (second) wanted.second = 'numeric';
  }
  if (hour) {
    if (!isHalf && !(locale === 'en-GB' && staysPlain(asked))) wanted.hour = '2-digit';
    pattern.push(['hour', wanted.hour]);
    if (minute) pattern.push(':', ['minute', '2-digit']);
    else if (second) {
      rest = [' (second: ', ['second', 'numeric'], ')'];
      wanted.fractionalSecondDigits = undefined;
    } else if (fraction) rest = [' ├F14: ', ['fractionalSecond', fraction], '┤'];
    if (minute && wanted.second) pattern.push(':', ['second', '2-digit']);
    if (minute && fraction) pattern.push('.', ['fractionalSecond', fraction]);
    if (!isHalf) wanted.dayPeriod = undefined;
    else if (dayPeriod) pattern.push(' ', ['dayPeriod', dayPeriod]);
    else pattern.push('\u202F', ['dayPeriod', 'half']);
  } else {
    if (minute) pattern.push(['minute', wanted.minute]);
    if (wanted.second) {
      if (minute) pattern.push(':');
      pattern.push(['second', wanted.second]);
    }
    if (fraction) {
      if (wanted.second) pattern.push('.');
      pattern.push(['fractionalSecond', fraction]);
    }
    if (dayPeriod) {
      if (pattern.length === 0 && !timeZoneName) pattern.push(['dayPeriod', dayPeriod]);
      else if (pattern.length > 0 && timeZoneName) wanted.dayPeriod = undefined;
      else rest = [' ├AM/PM: ', ['dayPeriod', dayPeriod], '┤'];
    }
  }
  if (timeZoneName) {
    // An hour alone would be hard to tell from what follows; a quirk of these two styles only.
    const needsMark = hour && !isHalf && pattern.length === 1 && timeZoneName.endsWith('Generic');
    if (pattern.length > 0) pattern.push(needsMark ? 'h ' : ' ');
    pattern.push(['timeZoneName', timeZoneName]);
  }
  if (rest !== undefined) pattern.push(...rest);
  return pattern.length > 0 ? pattern : undefined;
}

// What stands between a date and a time.
function joiner(wanted, cycle) {
  const { weekday, era, year, month, day, hour, minute, timeZoneName, fractionalSecondDigits } = wanted;
  if (month === 'long') return ' at ';
  const onlyWeekday = weekday && !era && !year && !month && !day;
  const isHalf = cycle === 'h11' || cycle === 'h12';
  if (onlyWeekday && hour && !timeZoneName && !fractionalSecondDigits && (minute || isHalf)) return ' ';
  return ', ';
}

// The pattern for the fields in `wanted`, which is changed to what is shown.
exports.fromFields = function fromFields(locale, wanted, cycle) {
  const between = joiner(wanted, cycle);
  const date = datePattern(locale, wanted);
  const time = timePattern(locale, wanted, cycle);
  if (date === undefined) return time;
  return time === undefined ? date : [...date, between, ...time];
};

const DATE_STYLES = {
  __proto__: null,
  full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  medium: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { year: '2-digit', month: 'numeric', day: 'numeric' },
};
const TIME_STYLES = {
  __proto__: null,
  full: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'long' },
  long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  short: { hour: 'numeric', minute: '2-digit' },
};

// The fields that a style shows.
exports.styleFields = function styleFields(locale, dateStyle, timeStyle) {
  const fields = { __proto__: null, ...DATE_STYLES[dateStyle], ...TIME_STYLES[timeStyle] };
  if (locale === 'en-GB') {
    if (dateStyle === 'short') fields.year = 'numeric';
    if (timeStyle !== undefined) fields.hour = '2-digit';
  }
  return fields;
};

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December',
];
const ERAS = { __proto__: null, long: ['Before Christ', 'Anno Domini'], short: ['BC', 'AD'], narrow: ['B', 'A'] };

function name(full, width, locale) {
  if (width === 'long') return full;
  if (width === 'narrow') return full[0];
  // The one month whose short name the British write differently.
  return locale === 'en-GB' && full === 'September' ? 'Sept' : full.slice(0, 3);
}

function number(value, width) {
  return width === '2-digit' && value < 10 ? `0${value}` : `${value}`;
}

function partOfDay(hour, isSharp, width) {
  if (hour < 12) return 'in the morning';
  if (hour === 12 && isSharp) return width === 'narrow' ? 'n' : 'noon';
  if (hour < 18) return 'in the afternoon';
  return hour < 21 ? 'in the evening' : 'at night';
}

// The text of a field. `fields` are those of the local time; `state` is the formatter's.
function text(type, width, fields, state, time) {
  const [year, month, day, hour, minute, second, millisecond, weekday] = fields;
  switch (type) {
    case 'weekday': return name(WEEKDAYS[weekday], width, state.locale);
    case 'era': return ERAS[width][year > 0 ? 1 : 0];
    case 'year': {
      const shown = year > 0 ? year : 1 - year;
      return width === '2-digit' ? number(shown % 100, width) : String(shown);
    }
    case 'month': return isName(width) ? name(MONTHS[month], width, state.locale) : number(month + 1, width);
    case 'day': return number(day, width);
    case 'hour':
      switch (state.cycle) {
        case 'h11': return number(hour % 12, width);
        case 'h12': return number(hour % 12 || 12, width);
        case 'h24': return number(hour || 24, width);
        default: return number(hour, width);
      }
    case 'minute': return number(minute, width);
    case 'second': return number(second, width);
    case 'fractionalSecond': return String(millisecond).padStart(3, '0').slice(0, width);
    case 'dayPeriod': {
      if (width === 'half') {
        const half = hour < 12 ? 'AM' : 'PM';
        return state.locale === 'en-GB' ? half.toLowerCase() : half;
      }
      const shows = (field) => state.pattern.some((part) => part[0] === field);
      const isSharp = (minute === 0 || !shows('minute')) && (second === 0 || !shows('second'));
      return partOfDay(hour, isSharp, width);
    }
    default: return require('internal/intl/zone_names').zoneName(state, time, width);
  }
}

// The parts of a formatted instant.
exports.toParts = function toParts(pattern, fields, state, time) {
  const parts = [];
  for (const part of pattern) {
    if (typeof part !== 'string') parts.push({ type: part[0], value: text(part[0], part[1], fields, state, time) });
    else parts.push({ type: 'literal', value: part });
  }
  return parts;
};
