// node:punycode (deprecated, but still asked for): the encoding of RFC 3492 and what maps it over
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

// The value of a digit: letters are 0 to 25 in either case, figures 26 to 35.
function digitValue(code) {
  if (code >= 0x30 && code < 0x3a) return 26 + (code - 0x30);
  if (code >= 0x41 && code < 0x5b) return code - 0x41;
  if (code >= 0x61 && code < 0x7b) return code - 0x61;
  return BASE;
}

const digitChar = (value) => String.fromCharCode(value < 26 ? value + 0x61 : value - 26 + 0x30);

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

function decode(input) {
  const output = [];
  const basic = Math.max(input.lastIndexOf('-'), 0);
  for (let i = 0; i < basic; i++) {
    if (input.charCodeAt(i) >= 0x80) throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
    output.push(input.charCodeAt(i));
  }
  let code = FIRST_CODE;
  let bias = FIRST_BIAS;
  let at = 0;
  for (let i = basic > 0 ? basic + 1 : 0; i < input.length;) {
    const before = at;
    for (let weight = 1, k = BASE; ; k += BASE) {
      if (i >= input.length) throw new RangeError('Invalid input');
      const digit = digitValue(input.charCodeAt(i++));
      if (digit >= BASE) throw new RangeError('Invalid input');
      if (digit > Math.floor((MAX_INT - at) / weight)) throw overflow();
      at += digit * weight;
      const t = threshold(k, bias);
      if (digit < t) break;
      if (weight > Math.floor(MAX_INT / (BASE - t))) throw overflow();
      weight *= BASE - t;
    }
    const count = output.length + 1;
    bias = adapt(at - before, count, before === 0);
    if (Math.floor(at / count) > MAX_INT - code) throw overflow();
    code += Math.floor(at / count);
    at %= count;
    output.splice(at++, 0, code);
  }
  return ucs2encode(output);
}

function encode(input) {
  const codes = ucs2decode(input);
  const basic = codes.filter((code) => code < 0x80);
  let output = basic.map((code) => String.fromCharCode(code)).join('');
  let handled = basic.length;
  if (handled > 0) output += '-';
  let current = FIRST_CODE;
  let delta = 0;
  let bias = FIRST_BIAS;
  while (handled < codes.length) {
    let next = MAX_INT;
    for (const code of codes) if (code >= current && code < next) next = code;
    const count = handled + 1;
    if (next - current > Math.floor((MAX_INT - delta) / count)) throw overflow();
    delta += (next - current) * count;
    current = next;
    for (const code of codes) {
      if (code < current && ++delta > MAX_INT) throw overflow();
      if (code !== current) continue;
      let rest = delta;
      let k = BASE;
      for (let t = threshold(k, bias); rest >= t; t = threshold(k, bias)) {
        output += digitChar(t + ((rest - t) % (BASE - t)));
        rest = Math.floor((rest - t) / (BASE - t));
        k += BASE;
      }
      output += digitChar(rest);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    delta++;
    current++;
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
