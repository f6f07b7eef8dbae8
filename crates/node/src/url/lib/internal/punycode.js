// What node:punycode is, and domain names need: the encoding of RFC 3492 and what maps it over
// the labels of a domain.
'use strict';

const MAX_INT = 0x7fffffff;
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;

const overflow = () => new RangeError('Overflow: input needs wider integers to process');

const threshold = (k, bias) => Math.min(Math.max(k - bias, T_MIN), T_MAX);

function adapt(delta, count, first) {
  delta = first ? Math.floor(delta / DAMP) : delta >> 1;
  delta += Math.floor(delta / count);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return Math.floor(k + ((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}

// The digits by their value; letters are read in either case.
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

// Code points; a surrogate without its other half stays as it is.
function ucs2decode(string) {
  return Array.from({ [Symbol.iterator]: () => string[Symbol.iterator]() }, (char) => char.codePointAt(0));
}

// Engines word the error for a number that is no code point differently; this is V8's.
function ucs2encode(codePoints) {
  for (const code of codePoints) {
    if (!Number.isInteger(Number(code)) || code < 0 || code > 0x10ffff) throw new RangeError(`Invalid code point ${code}`);
  }
  return String.fromCodePoint(...codePoints);
}

// Adds the number that starts at `from` to `value`. The digit below its threshold is the last one.
function readNumber(input, from, bias, value) {
  let weight = 1;
  for (let i = from; i < input.length; i++) {
    const digit = DIGITS.indexOf(input[i].toLowerCase());
    if (digit < 0) throw new RangeError('Invalid input');
    if (digit > Math.floor((MAX_INT - value) / weight)) throw overflow();
    value += digit * weight;
    const least = threshold((i - from + 1) * BASE, bias);
    if (digit < least) return { value, end: i + 1 };
    if (weight > Math.floor(MAX_INT / (BASE - least))) throw overflow();
    weight *= BASE - least;
  }
  throw new RangeError('Invalid input');
}

function writeNumber(value, bias) {
  let digits = '';
  for (let place = BASE; ; place += BASE) {
    const least = threshold(place, bias);
    if (value < least) return digits + DIGITS[value];
    digits += DIGITS[least + ((value - least) % (BASE - least))];
    value = Math.floor((value - least) / (BASE - least));
  }
}

function basicCode(char) {
  const code = char.charCodeAt(0);
  if (code >= FIRST_CODE) throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
  return code;
}

// Each number says how far to go from the last insertion to the next: along the output, and at its
// end on to the next code point.
function decode(input) {
  const hyphen = input.lastIndexOf('-');
  const output = Array.from(input.slice(0, Math.max(hyphen, 0)), basicCode);
  let next = hyphen > 0 ? hyphen + 1 : 0;
  let code = FIRST_CODE;
  let bias = FIRST_BIAS;
  let at = 0;
  while (next < input.length) {
    const count = output.length + 1;
    const { value, end } = readNumber(input, next, bias, at);
    const rounds = Math.floor(value / count);
    if (rounds > MAX_INT - code) throw overflow();
    bias = adapt(value - at, count, at === 0);
    code += rounds;
    at = value % count;
    output.splice(at++, 0, code);
    next = end;
  }
  return ucs2encode(output);
}

function encode(input) {
  const codes = ucs2decode(input);
  const basic = codes.filter((code) => code < FIRST_CODE);
  const others = [...new Set(codes)].filter((code) => code >= FIRST_CODE).sort((a, b) => a - b);
  let output = basic.map((code) => String.fromCharCode(code)).join('');
  if (output !== '') output += '-';
  let handled = basic.length;
  let from = FIRST_CODE;
  let delta = 0;
  let bias = FIRST_BIAS;
  for (const wanted of others) {
    if (wanted - from > Math.floor((MAX_INT - delta) / (handled + 1))) throw overflow();
    delta += (wanted - from) * (handled + 1);
    for (const code of codes) {
      if (code < wanted) {
        delta++;
      } else if (code === wanted) {
        output += writeNumber(delta, bias);
        bias = adapt(delta, handled + 1, handled === basic.length);
        delta = 0;
        handled++;
      }
    }
    delta++;
    from = wanted + 1;
  }
  return output;
}

// Applies `map` to each label; of an e-mail address only to those of the domain.
function mapDomain(domain, map) {
  const parts = domain.split('@');
  const start = parts.length > 1 ? `${parts[0]}@` : '';
  const labels = (parts.length > 1 ? parts[1] : domain).replace(/[\u3002\uff0e\uff61]/g, '.').split('.');
  return start + labels.map(map).join('.');
}

function toUnicode(input) {
  return mapDomain(input, (label) => (label.startsWith('xn--') ? decode(label.slice(4).toLowerCase()) : label));
}

function toASCII(input) {
  return mapDomain(input, (label) => (/[^\0-\x7f]/.test(label) ? `xn--${encode(label)}` : label));
}

module.exports = { version: '2.1.0', ucs2: { decode: ucs2decode, encode: ucs2encode }, decode, encode, toASCII, toUnicode };
