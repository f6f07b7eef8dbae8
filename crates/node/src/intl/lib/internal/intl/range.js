// Two instants as one text: what they share is said once.
'use strict';

const patterns = require('internal/intl/patterns');
const { natives } = require('internal/zone');

// From coarse to fine, with the place of each in the fields of an instant.
const LEVELS = [['year', 0], ['month', 1], ['day', 2], ['half', 3], ['hour', 3], ['minute', 4], ['second', 5], ['fractionalSecondDigits', 6]];
const rank = (name) => LEVELS.findIndex(([level]) => level === name);
const SPACED = '\u2009–\u2009';

// The coarsest field in which two instants differ; undefined if none does.
function difference(first, second) {
  for (const [level, at] of LEVELS) {
    if (level === 'half' ? first[at] < 12 !== second[at] < 12 : first[at] !== second[at]) return level;
  }
  return undefined;
}

// The fields to show: those of the formatter, and the coarser ones without which a reader would miss the
// difference.
function widen(fields, level) {
  const has = (name) => fields[name] !== undefined;
  const hasTime = has('hour') || has('minute') || has('second');
  const hasDate = has('weekday') || has('year') || has('month') || has('day');
  const wide = { __proto__: null, ...fields };
  if (rank(level) > rank('day')) return wide;
  if (hasTime && !hasDate) wide.year = wide.month = wide.day = 'numeric';
  else if (has('day') || hasTime) {
    for (const name of ['year', 'month', 'day']) if (rank(name) >= rank(level)) wide[name] ??= 'numeric';
  }
  return wide;
}

// Whether a difference at a level can be seen in these fields.
function shows(fields, level) {
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  return names.some((name) => rank(name === 'weekday' ? 'day' : name === 'dayPeriod' ? 'half' : name === 'era' ? 'year' : name) >= rank(level));
}

// A pattern in three: what both share in front, what differs, what both share behind. Undefined when the
// two are better shown whole.
function collapse(pattern, fields, level, isBritish) {
  const isField = (name) => (part) => part[0] === name;
  const isTimed = fields.hour !== undefined;
  if (isTimed) {
    if (rank(level) <= rank('day') || fields.second !== undefined || fields.minute === undefined && level === 'minute') return undefined;
    const start = pattern.findIndex(isField('hour'));
    const zoneAt = pattern.findIndex(isField('timeZoneName'));
    const before = pattern.slice(0, start);
    if (before.length > 0) before[before.length - 1] = ', ';
    const middle = pattern.slice(start, zoneAt < 0 ? undefined : zoneAt - 1);
    const after = zoneAt < 0 ? [] : pattern.slice(zoneAt - 1);
    const isHalf = middle.some(isField('dayPeriod'));
    const between = isBritish && !isHalf ? '–' : SPACED;
    if (!isHalf || level === 'half') return { before, middle, after, between };
    // The half of the day is said once.
    const periodAt = middle.findIndex(isField('dayPeriod'));
    return { before, middle: middle.slice(0, periodAt - 1), after: [...middle.slice(periodAt - 1), ...after], between };
  }
  const named = ['long', 'short', 'narrow'].includes(fields.month);
  if (level === 'year') {
    const eraAt = pattern.findIndex(isField('era'));
    if (eraAt < 1 || eraAt !== pattern.length - 1 || fields.month !== undefined) return undefined;
    return { before: [], middle: pattern.slice(0, -2), after: pattern.slice(-2), between: SPACED };
  }
  if (!named) return undefined;
  const yearAt = pattern.findIndex(isField('year'));
  let end = yearAt < 0 ? pattern.length : yearAt - 1;
  let before = [];
  let start = 0;
  let after = pattern.slice(end);
  if (level === 'day' && fields.weekday === undefined) {
    const dayAt = pattern.findIndex(isField('day'));
    if (isBritish) {
      after = pattern.slice(dayAt + 1);
      end = dayAt + 1;
    } else {
      before = pattern.slice(0, dayAt);
      start = dayAt;
    }
  }
  return { before, middle: pattern.slice(start, end), after, between: SPACED };
}

// The parts of a range, each with what it belongs to.
exports.toParts = function toParts(state, start, end) {
  const first = natives.fields(state.zone, start);
  const second = natives.fields(state.zone, end);
  const level = difference(first, second);
  const make = (pattern, fields, time, source, used) =>
    patterns.toParts(pattern, fields, { ...state, pattern: used }, time).map((part) => ({ ...part, source }));
  if (level === undefined || !shows(state.fields, level)) return make(state.pattern, first, start, 'shared', state.pattern);
  const fields = widen(state.fields, level);
  const pattern = patterns.fromFields(state.locale, fields, state.cycle);
  const split = collapse(pattern, fields, level, state.locale === 'en-GB');
  const { before, middle, after, between } = split ?? { before: [], middle: pattern, after: [], between: SPACED };
  return [
    ...make(before, first, start, 'shared', pattern),
    ...make(middle, first, start, 'startRange', pattern),
    { type: 'literal', value: between, source: 'shared' },
    ...make(middle, second, end, 'endRange', pattern),
    ...make(after, second, end, 'shared', pattern),
  ];
};
