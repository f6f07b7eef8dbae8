// node:querystring: listed strings and objects, options, and strings drawn at random.
const qs = load('querystring');
const show = (value) => JSON.stringify(value, (key, v) => (typeof v === 'bigint' ? `${v}n` : v));

test('keys', () => Object.keys(qs).join() + (qs.encode === qs.stringify) + (qs.decode === qs.parse));
test('names', () => Object.values(qs).map((f) => f.name + f.length).join());
test('prototype', () => String(Object.getPrototypeOf(qs.parse('a=b'))));

const strings = [
  '', 'a', 'a=', '=a', '=', '&', '&&', 'a&b', 'a=b', 'a=b&c=d', 'a=b&a=c', 'a=b&a=c&a=d', 'a&a&a', 'a==b', 'a=b=c', '&a=b&', '&&a=b', 'a=b&&c=d', 'a+b=c+d',
  '%20=%20', '%E4=1', '%C3%A4=%C3%A4', '%zz=%zz', '%', '%4', '%41', '%4=4', 'a=%F0%9F%98%80', 'ä=ö', '\u{1f600}=\u{1f600}', 'a=%u1234', 'foo=%EDndex', '__proto__=1',
  'hasOwnProperty=x', 'toString=1&toString=2', 'a[]=1&a[]=2', 'a=b;c=d', 'a:b;c:d', 'a<>b', 'x%20y', '\0=\0', 'a=\ud800', '\ud83d', 'a\ude00b', 'foo=%zx', 'blah=burp%zz€',
  '%C3%A4%41=%zz€', 'a=%4+1ä', '%%41=%%41', 'a'.repeat(100), 'a=+', '+', '%2B=%2b', "!'()*~-._", 'a=b&' + 'c&'.repeat(1100),
];
const separators = [undefined, null, '', '&', ';', '=', ':', '<>', 'ab', 5, '&&'];
for (const text of strings) {
  const label = text.slice(0, 30);
  test(`escape ${label}`, () => qs.escape(text));
  test(`unescape ${label}`, () => qs.unescape(text));
  test(`unescape spaces ${label}`, () => qs.unescape(text, true));
  test(`unescapeBuffer ${label}`, () => qs.unescapeBuffer(text).toString('hex'));
  test(`unescapeBuffer spaces ${label}`, () => qs.unescapeBuffer(text, true).toString('hex'));
  for (const sep of separators) for (const eq of separators) test(`parse ${label} ${sep} ${eq}`, () => show(qs.parse(text, sep, eq)));
  for (const maxKeys of [-1, 0, 1, 2, 3, 1.5, Infinity, NaN, '1']) test(`maxKeys ${maxKeys} ${label}`, () => show(qs.parse(text, null, null, { maxKeys })));
  test(`decode mark ${label}`, () => show(qs.parse(text, null, null, { decodeURIComponent: (s) => `<${s}>` })));
  test(`decode throws ${label}`, () => show(qs.parse(text, null, null, { decodeURIComponent: () => { throw new Error('no'); } })));
  test(`decode wrong ${label}`, () => show(qs.parse(text, null, null, { decodeURIComponent: 'no' })));
  test(`round trip ${label}`, () => qs.stringify(qs.parse(text)));
}
for (const value of [undefined, null, 1, 0, true, {}, [], [1, 2], { toString: () => 'ä' }, 10n, NaN]) {
  const label = `${typeof value} ${show(value)}`;
  test(`escape ${label}`, () => qs.escape(value));
  test(`parse ${label}`, () => show(qs.parse(value)));
  test(`unescape ${label}`, () => qs.unescape(value));
  test(`stringify ${label}`, () => qs.stringify(value));
}
const objects = [
  {}, { a: 1 }, { a: 'b', c: 'd' }, { a: [] }, { a: [], b: 1 }, { b: 1, a: [] }, { a: [1, 2] }, { a: ['x', 'ä'], b: ['&', '='] }, { a: null, b: undefined }, { a: NaN, b: Infinity },
  { a: 1e21, b: -1e21, c: 1e-7, d: 1.5 }, { a: 10n, b: 2n ** 70n }, { a: true, b: false }, { a: {} }, { a: [[1], {}] }, { a: () => {} }, { a: Symbol('s') }, { 'ä&=': 'ä&=' },
  { '': '' }, { a: '' }, { a: [''] }, ['x', 'y'], Object.create({ inherited: 1 }), new Date(0), Object.assign(Object.create(null), { a: 1 }), { a: new String('x') }, { a: '\ud800' },
];
objects.forEach((object, i) => {
  for (const sep of separators) for (const eq of [undefined, ':', '']) test(`stringify ${i} ${sep} ${eq}`, () => qs.stringify(object, sep, eq));
  test(`encode mark ${i}`, () => qs.stringify(object, null, null, { encodeURIComponent: (s) => `<${s}>` }));
  test(`encode wrong ${i}`, () => qs.stringify(object, null, null, { encodeURIComponent: 1 }));
});
test('own escape is used', () => {
  const { escape, unescape } = qs;
  qs.escape = (s) => `[${s}]`;
  qs.unescape = (s) => `(${s})`;
  const result = qs.stringify({ a: 1, b: 'x y' }) + show(qs.parse('a=%20&b'));
  Object.assign(qs, { escape, unescape });
  return result;
});

let state = seed;
const draw = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0, Math.floor((state / 2 ** 32) * n));
const tokens = ['a', 'b', '&', '&', '=', '=', '+', '%', '%20', '%41', '%E4', '%C3%A4', '%zz', '%4', 'ä', '€', '\u{1f600}', '\ud800', 'ab', '<>', '%F0%9F%98%80'];
for (let i = 0; i < 4000; i++) {
  const text = Array.from({ length: draw(10) }, () => tokens[draw(tokens.length)]).join('');
  const sep = separators[draw(separators.length)];
  const eq = separators[draw(separators.length)];
  test(`drawn ${JSON.stringify(text)} ${sep} ${eq}`, () => show([qs.parse(text, sep, eq), qs.unescape(text), qs.unescapeBuffer(text, true).toString('latin1')]));
  test(`drawn escape ${JSON.stringify(text)}`, () => qs.escape(text));
}
