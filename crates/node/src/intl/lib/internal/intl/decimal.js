// Decimal numbers as digits: what formatting rounds and groups.
//
// A decimal is { negative, digits, point }: its value is 0.digits times ten to the power of point. No
// digit is zero at either end; zero has no digits.
'use strict';

function make(negative, digits, point) {
  let start = 0;
  while (digits[start] === '0') start++;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end--;
  return { negative, digits: digits.slice(start, end), point: end > start ? point - start : 0 };
}

const LITERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

// The decimal of a finite number, a bigint, or the text of a number.
exports.from = function from(value) {
  const text = Object.is(value, -0) ? '-0' : String(value);
  const [, sign, whole, fraction = '', exponent = '0'] = LITERAL.exec(text);
  return make(sign === '-', whole + fraction, whole.length + Number(exponent));
};

exports.isLiteral = (text) => LITERAL.test(text) && /\d/.test(text);

exports.isZero = (decimal) => decimal.digits === '';

exports.shift = (decimal, by) => ({ ...decimal, point: exports.isZero(decimal) ? 0 : decimal.point + by });

// Whether what is cut off makes the kept digits grow by one.
function goesUp(decimal, kept, rest, mode) {
  if (!/[1-9]/.test(rest)) return false;
  const half = rest[0] === '5' && !/[1-9]/.test(rest.slice(1)) ? 0 : rest[0] >= '5' ? 1 : -1;
  switch (mode) {
    case 'ceil': return !decimal.negative;
    case 'floor': return decimal.negative;
    case 'expand': return true;
    case 'trunc': return false;
    case 'halfCeil': return half > 0 || half === 0 && !decimal.negative;
    case 'halfFloor': return half > 0 || half === 0 && decimal.negative;
    case 'halfTrunc': return half > 0;
    case 'halfEven': return half > 0 || half === 0 && Number(kept.at(-1) ?? 0) % 2 === 1;
    default: return half >= 0;
  }
}

// Rounded to a number of digits behind the point; before it, if negative.
exports.round = function round(decimal, places, mode) {
  const keep = decimal.point + places;
  if (decimal.digits.length <= keep) return decimal;
  const padded = keep < 0 ? '0'.repeat(-keep) + decimal.digits : decimal.digits;
  const at = Math.max(keep, 0);
  const kept = padded.slice(0, at);
  const up = goesUp(decimal, kept, padded.slice(at), mode);
  const last = keep < 0 ? decimal.point - keep : decimal.point;
  if (!up) return make(decimal.negative, kept, last);
  const sum = (BigInt(kept || '0') + 1n).toString().padStart(at, '0');
  return make(decimal.negative, sum, last + sum.length - at);
};

// The digits in front of the point and behind it.
exports.split = function split({ digits, point }, minimumInteger, minimumFraction) {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return { whole: whole.padStart(minimumInteger, '0'), fraction: fraction.padEnd(minimumFraction, '0') };
};
