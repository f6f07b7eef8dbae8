// Date.parse: the ISO format of ECMA-262, and else the loose forms that V8 reads.
'use strict';

const DAY = 86400000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
// Names of zones, with their hours from UTC.
const ZONES = {
  __proto__: null, z: 0, ut: 0, utc: 0, gmt: 0,
  est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7,
};
const TOKEN = /(?<number>[0-9]+)|(?<word>[A-Za-z]+)|(?<space>[\s\uFEFF]+)|(?<symbol>[^])/uy;
const END = { type: 'end' };

// Numbers, words, blanks and signs; text in parentheses counts as a blank.
function tokenize(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (let match; (match = TOKEN.exec(text)) !== null;) {
    const { number, word, space, symbol } = match.groups;
    if (number !== undefined) {
      tokens.push({ type: 'number', length: number.length, digits: number, value: Number(number.replace(/^0+/, '').slice(0, 9)) });
    } else if (word !== undefined) {
      tokens.push(keyword(word.toLowerCase()));
    } else if (space !== undefined) {
      tokens.push({ type: 'space' });
    } else if (symbol === '(') {
      let depth = 1;
      let at = TOKEN.lastIndex;
      for (; at < text.length && depth > 0; at++) {
        if (text[at] === '(') depth++;
        else if (text[at] === ')') depth--;
      }
      TOKEN.lastIndex = at;
      tokens.push({ type: 'comment' });
    } else {
      tokens.push({ type: symbol });
    }
  }
  return tokens;
}

function keyword(word) {
  const month = MONTHS.indexOf(word.slice(0, 3));
  if (month >= 0) return { type: 'month', value: month + 1 };
  if (word === 'am' || word === 'pm') return { type: 'half', value: word === 'pm' ? 12 : 0 };
  if (word === 't') return { type: 't' };
  const hours = ZONES[word];
  return hours === undefined ? { type: 'word' } : { type: 'zone', value: hours, isZ: word === 'z' };
}

const between = (value, low, high) => value >= low && value <= high;
const isSign = (token) => token.type === '+' || token.type === '-';

class Parser {
  constructor(text) {
    this.tokens = tokenize(text);
    this.at = 0;
    this.days = [];
    this.month = undefined;
    this.isIso = false;
    this.time = [];
    this.half = undefined;
    // Sign, hours and minutes of the offset; without a sign there is none.
    this.sign = undefined;
    this.zoneHour = undefined;
    this.zoneMinute = undefined;
  }

  get next() {
    return this.tokens[this.at] ?? END;
  }

  skip(symbol) {
    if (this.next.type !== symbol) return false;
    this.at++;
    return true;
  }

  fixed(length, low, high) {
    const token = this.next;
    if (token.type !== 'number' || token.length !== length || !between(token.value, low, high)) return undefined;
    this.at++;
    return token.value;
  }

  setZone(hours) {
    this.sign = hours < 0 ? -1 : 1;
    this.zoneHour = Math.abs(hours);
    this.zoneMinute = 0;
  }

  milliseconds() {
    return Number(this.tokens[this.at++].digits.slice(0, 3).padEnd(3, '0'));
  }

  // The ISO format. True at its end; false when it cannot be a date at all; undefined when it may be
  // one of the loose forms, which go on from here with what was read.
  iso() {
    const sign = isSign(this.next) ? this.next : undefined;
    if (sign !== undefined) {
      const year = this.tokens[1];
      if (year?.type !== 'number' || year.length !== 6) return undefined;
      this.at = 2;
      if (sign.type === '-' && year.value === 0) return undefined;
      this.days.push(sign.type === '-' ? -year.value : year.value);
    } else {
      const year = this.fixed(4, 0, 9999);
      if (year === undefined) return undefined;
      this.days.push(year);
    }
    if (this.skip('-')) {
      const month = this.fixed(2, 1, 12);
      if (month === undefined) return undefined;
      this.days.push(month);
      if (this.skip('-')) {
        const day = this.fixed(2, 1, 31);
        if (day === undefined) return undefined;
        this.days.push(day);
      }
    }
    if (this.next === END) {
      this.setZone(0);
      this.isIso = true;
      return true;
    }
    if (!this.skip('t')) return undefined;
    if (!this.isoTime() || this.next !== END) return false;
    this.isIso = true;
    return true;
  }

  isoTime() {
    const { time } = this;
    const hour = this.fixed(2, 0, 24);
    const last = hour === 24 ? 0 : 59;
    if (hour === undefined || !this.skip(':')) return false;
    const minute = this.fixed(2, 0, last);
    if (minute === undefined) return false;
    time.push(hour, minute);
    if (this.skip(':')) {
      const second = this.fixed(2, 0, last);
      if (second === undefined) return false;
      time.push(second);
      if (this.skip('.')) {
        if (this.next.type !== 'number' || (hour === 24 && this.next.value > 0)) return false;
        time.push(this.milliseconds());
      }
    }
    if (this.next.isZ) {
      this.at++;
      this.setZone(0);
    } else if (isSign(this.next)) {
      this.sign = this.next.type === '-' ? -1 : 1;
      this.at++;
      const both = this.fixed(4, 0, 2359);
      this.zoneHour = both === undefined ? this.fixed(2, 0, 23) : Math.trunc(both / 100);
      if (this.zoneHour === undefined || (both === undefined && !this.skip(':'))) return false;
      this.zoneMinute = both === undefined ? this.fixed(2, 0, 59) : both % 100;
      if (!between(this.zoneMinute, 0, 59)) return false;
    }
    return true;
  }

  // Whether a number can be the next part of the time.
  expectsTime(value) {
    const { length } = this.time;
    return (length === 1 || length === 2) ? between(value, 0, 59) : length === 3 && between(value, 0, 999);
  }

  finishTime(value) {
    this.time.push(value);
    while (this.time.length < 4) this.time.push(0);
  }

  loose() {
    let numberSeen = this.days.length > 0;
    for (let token; (token = this.next) !== END;) {
      this.at++;
      if (token.type === 'number') {
        numberSeen = true;
        if (!this.looseNumber(token.value)) return false;
      } else if (token.type === 'half' && this.time.length > 0) {
        this.half = token.value;
      } else if (token.type === 'month') {
        this.month = token.value;
        this.skip('-');
      } else if (token.type === 'zone' && numberSeen) {
        this.setZone(token.value);
      } else if (['word', 'half', 'zone', 't'].includes(token.type)) {
        // Other words are ignored in front of the first number, and must not touch it.
        if (numberSeen || this.next.type === 'number') return false;
      } else if (isSign(token) && ((this.zoneHour === 0 && this.zoneMinute === 0) || this.time.length > 0)) {
        if (!this.looseOffset(token)) return false;
        numberSeen = true;
      } else if ((isSign(token) || token.type === ')') && numberSeen) {
        return false;
      }
    }
    return true;
  }

  looseNumber(value) {
    if (this.skip(':')) {
      if (this.skip(':')) {
        if (this.time.length > 0) return false;
        this.time.push(value, 0);
        return true;
      }
      if (this.time.length === 4) return false;
      this.time.push(value);
      this.skip('.');
    } else if (this.skip('.') && this.expectsTime(value)) {
      this.time.push(value);
      if (this.next.type !== 'number') return false;
      this.finishTime(this.milliseconds());
    } else if (this.zoneHour !== undefined && this.zoneMinute === undefined && between(value, 0, 59)) {
      this.zoneMinute = value;
    } else if (this.expectsTime(value)) {
      this.finishTime(value);
      const { next } = this;
      return next === END || next.type === 'space' || next.isZ === true || isSign(next);
    } else {
      if (this.days.length === 3) return false;
      this.days.push(value);
      this.skip('-');
    }
    return true;
  }

  looseOffset(sign) {
    this.sign = sign.type === '-' ? -1 : 1;
    let value = 0;
    let length = 0;
    if (this.next.type === 'number') {
      ({ value, length } = this.next);
      this.at++;
    }
    if (this.next.type === ':') {
      this.zoneHour = value;
      this.zoneMinute = undefined;
    } else if (length === 1 || length === 2) {
      this.zoneHour = value;
      this.zoneMinute = 0;
    } else if (length === 3 || length === 4) {
      this.zoneHour = Math.trunc(value / 100);
      this.zoneMinute = value % 100;
    } else {
      return false;
    }
    return true;
  }

  // Year, month and day; undefined when the numbers cannot be a date.
  date() {
    const { days } = this;
    if (days.length === 0) return undefined;
    while (days.length < 3) days.push(1);
    let [year, month, day] = days;
    const isDay = between(days[0], 1, 31);
    if (this.month !== undefined) {
      ({ month } = this);
      [year, day] = isDay ? [days[1], days[0]] : [days[0], days[1]];
    } else if (!this.isIso && isDay) {
      [month, day, year] = days;
    }
    if (!this.isIso && between(year, 0, 99)) year += year < 50 ? 2000 : 1900;
    return between(month, 1, 12) && between(day, 1, 31) ? [year, month, day] : undefined;
  }

  milliseconds24() {
    while (this.time.length < 4) this.time.push(0);
    let [hour, minute, second, milli] = this.time;
    if (this.half !== undefined) {
      if (!between(hour, 0, 12)) return undefined;
      hour = hour % 12 + this.half;
    }
    const valid = between(hour, 0, 23) && between(minute, 0, 59) && between(second, 0, 59) && between(milli, 0, 999);
    if (!valid && (hour !== 24 || minute !== 0 || second !== 0 || milli !== 0)) return undefined;
    return ((hour * 60 + minute) * 60 + second) * 1000 + milli;
  }
}

// The instant that a text names, or NaN. `utc` is Date.UTC, `toInstant` turns local time into an instant.
exports.parse = function parse(text, utc, toInstant) {
  const parser = new Parser(text);
  const iso = parser.iso();
  if (iso === false || (iso === undefined && !parser.loose())) return NaN;
  const date = parser.date();
  const within = parser.milliseconds24();
  if (date === undefined || within === undefined) return NaN;
  const [year, month, day] = date;
  // Through a year of the same length, since the first hundred years mean others to Date.UTC; days are
  // added apart, so that one outside of time may still be brought back by its offset.
  const cycles = Math.floor(year / 400);
  const local = utc(2000 + year - cycles * 400, month - 1, 1) + (cycles - 5) * 146097 * DAY + (day - 1) * DAY + within;
  if (parser.sign === undefined) return toInstant(local);
  const offset = parser.sign * ((parser.zoneHour ?? 0) * 60 + (parser.zoneMinute ?? 0)) * 60000;
  const instant = local - offset;
  return Math.abs(instant) <= 8.64e15 ? instant : NaN;
};
