// Date.parse: the ISO format and the loose ones.
'use strict';
const { below, pick, zones } = require('./random.cjs');

const lines = [];
const two = (limit) => String(below(limit)).padStart(2, '0');
const months = ['Jan', 'february', 'MAR', 'Apr.', 'May', 'Sept', 'Decem', 'Foo'];
const pieces = [
  () => String(1970 + below(60)), () => two(33), () => String(below(40)), () => pick(months), () => '-', () => '/', () => ' ', () => ', ', () => ':',
  () => `${two(26)}:${two(61)}`, () => `${two(24)}:${two(60)}:${two(60)}`, () => '.', () => pick(['AM', 'pm', 'a.m.']), () => pick(['Z', 'UTC', 'GMT', 'EST', 'PDT', 'CET', 'T']),
  () => pick(['+', '-']) + pick(['0530', '05:30', '5', '530', '']), () => pick(['Mon', 'Tuesday', 'foo', '(comment)', '(a(b)c)', '(open']), () => `.${below(10000)}`,
];
const forms = [
  () => `${1970 + below(60)}-${two(13)}-${two(32)}`, () => `${1970 + below(60)}-${two(13)}`, () => `${1970 + below(60)}`,
  () => `${1970 + below(50)}-${two(13)}-${two(31)}T${two(25)}:${two(60)}`, () => `${1970 + below(50)}-${two(13)}-${two(31)}T${two(25)}:${two(60)}:${two(60)}.${below(10000)}`,
  () => `${1970 + below(50)}-${two(13)}-${two(31)}T${two(25)}:${two(60)}:${two(60)}${pick(['Z', '+01:00', '-0530', '+1', 'z', ' Z'])}`,
  () => `${1970 + below(50)}-${two(13)}-${two(31)} ${two(25)}:${two(60)}:${two(60)}`, () => `${pick(['+', '-'])}00${1970 + below(50)}-${two(13)}-${two(31)}T00:00Z`,
  () => `${pick(months)} ${below(32)}, ${1970 + below(50)}`, () => `${below(32)} ${pick(months)} ${1970 + below(50)} ${two(25)}:${two(60)}`,
  () => `${below(14)}/${below(32)}/${pick([1970 + below(50), below(100)])} ${below(14)}:${two(60)} ${pick(['AM', 'PM', ''])}`,
  () => `${pick(['Mon', 'Tue'])}, ${two(32)} ${pick(months)} ${1970 + below(50)} ${two(24)}:${two(60)}:${two(60)} ${pick(['GMT', 'GMT+0100', 'EST', '+0530', 'GMT+01:00 (CET)'])}`,
  () => Array.from({ length: 1 + below(7) }, () => pick(pieces)()).join(pick(['', ' ', ''])),
  () => Array.from({ length: 2 + below(5) }, () => pick(pieces)()).join(' '),
];
for (let round = 0; round < 9000; round++) {
  if (round % 100 === 0) process.env.TZ = pick(zones);
  const text = pick(forms)();
  lines.push(`${process.env.TZ} ${JSON.stringify(text)} ${Date.parse(text)}`);
}
process.env.TZ = 'Europe/Berlin';
for (const text of [
  '', ' ', 'x', '0', '1', '12', '32', '50', '2020', '20200101', '+020200-01-01', '-000000-01-01', '+275760-09-13T00:00:00Z', '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z', '2020-02-30', '2020-1-1', '2020-01-01T24:00', '2020-01-01T24:01', '2020-01-01T1:00', '2020-01-01t00:00z', '2020-W01',
  'Thu, 01 Jan 1970 00:00:00 GMT', 'Thu Jan 01 1970 01:00:00 GMT+0100 (Central European Standard Time)', 'Jan 1', '1 Jan', 'Jan 32', '1.2.2020', '2020.01.02',
  '1:00', 'Jan 1 2000 12:00 PM', 'Jan 1 2000 13:00 PM', 'Jan 1 2000 0:00 AM', '2000/1/1', '1/2/3', '99/1/1', '1/1/99', '1/1/49', '1/1/50', '2020-01-01 +01:00', '\u00a02020-01-01', '2020-01-01 ',
]) lines.push(`${JSON.stringify(text)} ${Date.parse(text)}`);
console.log(lines.join('\n'));
