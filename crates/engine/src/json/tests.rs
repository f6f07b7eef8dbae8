use super::install;
use rquickjs::{Context, Runtime};

/// Shows what both functions make of data, texts and numbers of every kind.
const PROGRAM: &str = r#"
const shown = [];
const show = (act) => {
  try { shown.push(String(act())); } catch (error) { shown.push(`${error.name}: ${error.message}`); }
};
class Point { constructor() { this.x = 1; this.y = [this.x]; } get sum() { return 2; } }
class Told extends Point { toJSON(key) { return `told ${key}`; } }
const cycle = { a: [] }; cycle.a.push(cycle);
let deep = []; for (let i = 0; i < 200; i++) deep = { deep: [deep] };
const deleted = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 };
for (const name of 'abcdefgh') delete deleted[name];
const sparse = [1, , 3]; const long = [1, 2]; long.length = 4; const named = [1]; named.extra = 2;
const ownTold = [1]; ownTold.toJSON = () => 'array';
const hidden = Object.defineProperties({ a: 1 }, { b: { value: 2 }, c: { get: () => 3, enumerable: true } });
const hiddenTold = Object.defineProperty({ a: 1 }, 'toJSON', { value: () => 'hidden' });
const values = [
  {}, [], [[]], [{}], { a: {} }, { a: undefined, b: () => 1, c: Symbol('s'), [Symbol('k')]: 1, d: null }, [undefined, () => 1, Symbol('s')],
  { 2: 'b', 1: 'a', x: 1, '-1': 2, '1e3': 3, '01': 4, '4294967294': 5, '4294967295': 6 }, { '1a': 1, a1: 2, '': 3 },
  new Point(), [new Told(), { t: new Told() }], Object.create(null), Object.assign(Object.create(null), { a: 1 }), Object.create({ inherited: 1 }),
  new Date(0), { date: new Date(8.64e15) }, new Map([[1, 2]]), /x/, new Error('e'), new Uint8Array(2), [new Number(1), new String('s'), new Boolean(false)],
  cycle, deep, deleted, sparse, long, named, ownTold, hidden, hiddenTold, [1n], { big: 2n }, Object(1n),
  new Proxy({ a: 1 }, {}), new Proxy([1], {}), { inside: new Proxy([1], {}) }, (function () { return arguments; })(1, 2), globalThis.nothing, null, 1, 'text', true,
  { 'na\u00efve "quotes"\\': '\u00e9\b\f\n\r\t\0\x1f\x7f\x80\xff', '\u{1f600}': '\ud800 \udc00\ud800 \u2028\u{10ffff}', ['x'.repeat(3000)]: 'y'.repeat(5000) },
  { joined: 'a'.repeat(9000) + 'b'.repeat(9000), part: 'c'.repeat(5000).slice(7, 4000), wide: '\u4e2d'.repeat(3000).slice(2, 2500) },
  Object.freeze({ frozen: [1] }), Array.from({ length: 50 }, (_, i) => ({ i, half: i / 2, text: `no ${i}` })), { __proto__: { toJSON() { return 'up'; } } },
  { ['__proto__']: 1 }, Object.setPrototypeOf([1, 2], null), Object.setPrototypeOf([1], { toJSON: () => 'list' }),
];
for (const value of values) {
  show(() => JSON.stringify(value)); show(() => JSON.stringify(value, null)); show(() => JSON.stringify(value, null, 2)); show(() => JSON.stringify(value, ['a', 'x']));
  show(() => JSON.stringify({ value })); show(() => JSON.stringify([value, value]));
  show(() => JSON.stringify(JSON.parse(JSON.stringify(value))));
}
let random = 1;
const draw = () => (random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff);
const numbers = [0, -0, 1, -1, 0.1, 1e21, 1e20, 123456789012345680000, 1.5e300, 5e-324, 1.7976931348623157e308, 1e-6, 1e-7, 1.25e-7, 123e-20, 2 ** 31, -(2 ** 31), 2 ** 53,
  NaN, Infinity, -Infinity, 4.35, 0.000001234, 100, 1e2, 0.3 + 0.6, 9007199254740993, 1e23, 4.4501477170144023e-308, 629667881283171.25, 629667881283171.75, 5e-324, 1.5e-323];
const bits = new DataView(new ArrayBuffer(8));
for (let i = 0; i < 3000; i++) {
  bits.setInt32(0, draw() * 2 + (draw() >> 9 & 1)); bits.setInt32(4, draw() * 2); numbers.push(bits.getFloat64(0));
  numbers.push(draw() / 1000, (draw() - 2 ** 30) / 7, draw() * 10 ** (draw() % 40 - 20));
}
// Halfway between two texts that are as short, and nearly so.
for (let i = 0; i < 300; i++) {
  for (const power of [0, 1, 4, 7, 12]) numbers.push(2 ** (53 - power) - draw() / 2 ** power, 2 ** (52 - power) + draw() + (draw() % 64) / 2 ** power);
  numbers.push((2 ** 52 + draw()) * 2 ** (draw() % 40), (2 ** 52 + draw()) / 2 ** (draw() % 90), draw() * 2 ** -1074);
}
for (const number of numbers) show(() => { const text = JSON.stringify([number]); return `${text} ${number} ${Object.is(JSON.parse(text)[0], number)}`; });
const texts = [
  '', ' ', '{', '[', '[1', '[1,', '[1,]', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{a:1}', "{'a':1}", '[1] x', '1 2', '"', '"\\', '"\\x"', '"\\u12"', '"\\u12g4"', '"a\nb"', '"\x01"',
  'tru', 'true', ' false ', 'nul', 'nulll', 'NaN', '-', '-0', '[-0]', '01', '-01', '1.', '.5', '1e', '1e+', '1E5', '1e-400', '1e400', '123456789', '1234567890', '-123456789', '12345678901234567890', '+1',
  '{"a":1,"a":2,"b":3}', '{"__proto__":{"x":1},"toJSON":5}', '{"1":1,"0":0,"b":2}', '{"":1," ":2}', '[[[[]]],{}]', '\t\r\n [ 1 , 2 ]\n', '\u00a0[]', '\ufeff[]', '[]\0', '"\\u0041\\u00e9\\u4e2d\\ud83d\\ude00\\ud800"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000"', '"\u00e9\u00ff"', '{"\u00e9":"\u00e9"}', '"\u4e2d"', '{"a\\u0062":1,"ab":2}', '['.repeat(100) + ']'.repeat(100), '['.repeat(50), '{"a":'.repeat(70) + '1' + '}'.repeat(70),
  '{"length":1,"constructor":2}', '[1,2,3'.padEnd(9000) + ']', JSON.stringify(values[38]), '{"x":{"y":1},"y":{"x":2,"y":[{"x":3},{"y":4,"x":5}]}}',
];
for (const text of texts) {
  show(() => { const value = JSON.parse(text); return `${typeof value} ${Object.is(value, -0)} ${JSON.stringify(value)} ${Array.isArray(value)} ${Object.keys(Object(value))}`; });
  show(() => JSON.stringify(JSON.parse(text, (key, value) => (typeof value === 'number' ? value + 1 : value))));
}
show(() => JSON.parse()); show(() => JSON.parse(undefined)); show(() => JSON.parse(null)); show(() => JSON.parse({ toString: () => '[7]' })); show(() => JSON.stringify()); show(() => JSON.parse(Symbol()));
show(() => { const value = JSON.parse('{"a":[1]}'); value.a.push(2); value.b = 3; const copy = Object.getOwnPropertyDescriptor(value, 'a'); return JSON.stringify([value, copy]); });
show(() => [JSON.parse.name, JSON.parse.length, JSON.stringify.name, JSON.stringify.length, String(JSON.parse)]);
Array.prototype.toJSON = () => 'arrays'; show(() => JSON.stringify([[1], { a: [] }])); delete Array.prototype.toJSON;
Object.prototype.toJSON = function () { return Object.keys(this).length; }; show(() => JSON.stringify([{ a: 1 }, []])); delete Object.prototype.toJSON;
Object.defineProperty(Object.prototype, 'toJSON', { get() { return () => 'got'; }, configurable: true }); show(() => JSON.stringify([{ a: 1 }])); delete Object.prototype.toJSON;
Object.defineProperty(Object.prototype, 'set', { set() { throw new Error('a setter'); }, configurable: true }); show(() => JSON.stringify(JSON.parse('{"set":1}')));
Object.defineProperty(Array.prototype, 0, { set() { throw new Error('a setter'); }, configurable: true }); show(() => JSON.parse('[1]')[0]);
shown.join('\n');
"#;

fn shown(is_ours: bool) -> Vec<String> {
    let runtime = Runtime::new().expect("there is memory");
    let context = Context::full(&runtime).expect("there is memory");
    context.with(|ctx| {
        if is_ours {
            install(&ctx).expect("there is memory");
        }
        let text: String = ctx.eval(PROGRAM).expect("the program runs");
        text.split('\n').map(str::to_owned).collect()
    })
}

#[test]
fn plain_data_is_read_and_written_as_by_the_engine() {
    let (own, ours) = (shown(false), shown(true));
    assert!(own.len() > 12_000, "the program shows {} lines", own.len());
    for (at, (own, ours)) in own.iter().zip(&ours).enumerate() {
        assert_eq!(own, ours, "line {at}");
    }
    assert_eq!(own.len(), ours.len());
}
