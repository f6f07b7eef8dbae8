// Values of every kind, each inspected with every option; then what only some options concern.
//
// What a bare engine cannot tell from within (proxies, the state of promises, what is left of an
// iterator) comes from the runtime's binding; here it is noted down when such a value is made.
const details = new WeakMap();
const note = (value, what) => {
  details.set(value, what);
  return value;
};
binding.getProxyDetails = (value) => details.get(value)?.proxy;
binding.getPromiseDetails = (value) => details.get(value)?.promise;
binding.previewEntries = (value) => details.get(value)?.entries;
const makeProxy = (target, handler) => note(new Proxy(target, handler), { proxy: [target, handler] });
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  note(proxy, { proxy: [null, null] });
  revoke();
  return proxy;
};
const resolved = (value) => note(Promise.resolve(value), { promise: [1, value] });
const rejected = (value) => {
  const promise = note(Promise.reject(value), { promise: [2, value] });
  promise.catch(() => {});
  return promise;
};
const pending = () => note(new Promise(() => {}), { promise: [0, undefined] });
const things = { k: 1 };
const weak = (collection, entries) => note(collection, { entries: [entries, false] });
const keysOf = (it) => note(it.keys(), { entries: [[...it.keys()], false] });
const entriesOf = (it) => note(it.entries(), { entries: [[...it.entries()].flat(), true] });

const { inspect, format, formatWithOptions, stripVTControlCharacters, getStringWidth } = load('internal/util/inspect');

const optionSets = [
  {}, { showHidden: true }, { depth: 0 }, { depth: 1 }, { depth: null }, { depth: -1 }, { colors: true },
  { compact: true }, { compact: false }, { compact: 1 }, { compact: 0 }, { breakLength: 40 }, { breakLength: Infinity },
  { breakLength: 1 }, { sorted: true }, { getters: true }, { getters: 'get' }, { getters: 'set' },
  { maxArrayLength: 2 }, { maxArrayLength: 0 }, { maxArrayLength: null }, { maxStringLength: 5 },
  { maxStringLength: 0 }, { numericSeparator: true }, { showProxy: true }, { customInspect: false },
  { compact: true, breakLength: 20 }, { colors: true, breakLength: 30, showHidden: true },
  { showProxy: true, depth: 1, showHidden: true }, { colors: true, compact: true, sorted: true },
];

class Foo {
  constructor() { this.x = 1; }
  get y() { return 2; }
  method() {}
}
class Bar extends Foo {
  constructor() { super(); this.z = [1]; }
}
class Tagged { get [Symbol.toStringTag]() { return 'TheTag'; } }
class ListOf extends Array {}
class MyMap extends Map { constructor(...args) { super(...args); this.extra = 1; } }
class MyError extends Error { constructor(message) { super(message); this.name = 'MyError'; } }
class OtherError extends TypeError {}
const noProto = (object) => Object.setPrototypeOf(object, null);
const circular = () => { const o = { a: { b: {} } }; o.a.b.c = o; o.self = o; o.a.back = o.a; return o; };
const deep = (n) => { let o = { end: true }; for (let i = 0; i < n; i++) o = { level: i, o }; return o; };
// A stack is an own property in one engine and inherited in the other until it is set like this.
const withStack = (error, stack) => Object.defineProperty(error, 'stack', {
  value: stack, writable: true, configurable: true,
});
const frames = (names) => [...names].map((name) => `\n    at ${name} (x:1:1)`).join('');
const numbers = (n, f = (i) => i) => Array.from({ length: n }, (_, i) => f(i));

const values = [
  // Primitives.
  () => 0, () => -0, () => 1.5, () => NaN, () => Infinity, () => -Infinity, () => 1e21, () => 123456789,
  () => 1234.5678, () => -1234567.891, () => 0.1234567, () => 1000n, () => -123456789012345678901234567890n, () => 0n,
  () => true, () => undefined, () => null, () => Symbol('s'), () => Symbol(), () => Symbol.iterator,
  () => Symbol.for('a b'), () => Symbol("it's\n"), () => '', () => 'text', () => "it's", () => 'say "x"',
  () => `both ' and "`, () => "all ' \" `", () => "quote ' \" ${x}", () => 'line\nbreak\ttab\r\b\f\v\0',
  () => '\x1b[31m', () => '\\', () => '\x7f\x80\x9f\xa0', () => '\ud83d', () => 'a\udc00b', () => '😀é',
  () => 'long '.repeat(30), () => 'line one\nline two\n'.repeat(8), () => 'x'.repeat(10001),
  () => 'ends with\n'.repeat(10).trim(),
  // Plain objects.
  () => ({}), () => ({ a: 1 }), () => ({ a: 1, b: 'x', c: null, d: undefined, e: true }),
  () => ({ 'a-b': 1, '2x': 2, 3: 3, $: 4, _: 5 }), () => ({ "it's": 1, 'new\nline': 2, '': 3, 'ä': 4 }),
  () => ({ ['__proto__']: 1 }), () => ({ [Symbol('k')]: 1, [Symbol()]: 2, [Symbol("q'\n")]: 3 }),
  () => ({ a: { b: { c: { d: { e: 1 } } } } }), () => ({ a: [[[[1]]]] }), () => deep(6), () => circular(),
  () => { const a = []; a.push(a, [a]); return a; }, () => { const m = new Map(); m.set(m, m); return m; },
  () => { const s = new Set(); s.add(s); return { s }; }, () => { const f = () => {}; f.f = f; return f; },
  () => ({ get a() { return 1; }, set b(v) {}, get c() { return { x: [1, { y: 2 }] }; }, set c(v) {} }),
  () => ({ get a() { throw new Error('oops'); }, get n() { return null; }, get s() { return 'text'; } }),
  () => Object.defineProperty({}, 'hidden', { value: 1 }),
  () => Object.defineProperty({ a: 1 }, "hi'd\nden", { value: 1, enumerable: false }),
  () => Object.defineProperty({}, Symbol('hidden'), { value: 1 }), () => Object.create(null),
  () => Object.assign(Object.create(null), { a: 1 }), () => Object.create({}), () => Object.create({ inherited: 1 }),
  () => Object.create(Object.create(null)), () => Object.create(Object.create(Object.create(null))),
  () => Object.create(Foo.prototype), () => Foo.prototype, () => Bar.prototype,
  () => Object.create(Bar.prototype, { own: { value: 1, enumerable: true } }), () => ({ constructor: 'x' }),
  () => ({ constructor: Foo }), () => ({ constructor: { name: 'Fake' } }), () => Object.freeze({ a: 1 }),
  () => ({ toString() { return 'x'; }, valueOf: () => 1 }), () => ({ a: 1n, b: Symbol('x'), c: /x/g, d: new Date(0) }),
  () => ({ name: 'something rather long', other: 'something else that is long', third: 'and another one' }),
  () => ({ a: 'x'.repeat(30), b: 'y'.repeat(30), c: 'z' }),
  () => ({ a: { aa: 'x'.repeat(20), bb: { cc: 'y'.repeat(20) } }, b: ['z'.repeat(20), 'w'.repeat(20)] }),
  () => ({ text: 'long line of text '.repeat(6), nested: { text: 'first\nsecond\n'.repeat(6) } }),
  // Tags and classes.
  () => new Foo(), () => new Bar(), () => new Tagged(), () => Object.assign(new Tagged(), { a: 1 }),
  () => ({ [Symbol.toStringTag]: 'own' }), () => Object.defineProperty({}, Symbol.toStringTag, { value: 'hiddenTag' }),
  () => Object.defineProperty({ a: 1 }, Symbol.toStringTag, { value: '' }),
  () => new (class extends Foo { get [Symbol.toStringTag]() { return 'Foo'; } })(), () => new (class {})(),
  () => new (class { a = 1; #p = 2; static s = 3; })(), () => Object.create({ constructor: undefined }),
  () => Object.create({ constructor: function () {} }),
  () => Object.defineProperty(Object.create(null), Symbol.toStringTag, { value: 'T' }),
  () => Object.create(Object.create(null), { [Symbol.toStringTag]: { value: 'T' } }),
  () => new (class extends Object {})(),
  () => new (class A { get [Symbol.toStringTag]() { throw new Error('tag'); } })(),
  () => { const o = new Foo(); o.constructor = 1; return o; }, () => new (class { static name = 'Renamed'; })(),
  () => new (class Odd { static name = ''; })(),
  // Functions.
  () => function () {}, () => function named() {}, () => () => {}, () => async () => {},
  () => async function named() {}, () => function* gen() {}, () => async function* asyncGen() {},
  () => ({ method() {}, async am() {}, *gm() {}, async *agm() {}, get: () => 1, async() {}, class() {} }),
  () => class {}, () => class A {}, () => class B extends Foo {}, () => class extends Foo {},
  () => class N extends null {}, () => class S { static a = 1; static b() {} },
  () => class Commented /* ( */ { m() {} }, () => class /* a */ Other /* ( */ extends Foo /* b { */ {}, () => Math.max,
  () => (function bound() {}).bind(null), () => Object.assign(() => {}, { a: 1, b: [2] }),
  () => Object.assign(function withProps() {}, { a: { b: 1 } }), () => noProto(function gone() {}),
  () => noProto(class Gone {}), () => noProto(async () => {}),
  () => Object.defineProperty(function () {}, 'name', { value: 5 }),
  () => Object.defineProperty(() => {}, Symbol.toStringTag, { value: 'FnTag' }),
  () => Object.setPrototypeOf(() => {}, Foo.prototype), () => class { static name = 'Static'; },
  () => Object.getOwnPropertyDescriptor(Map.prototype, 'size').get, () => [class {}, () => {}, function f() {}],
  // Arrays.
  () => [], () => [1], () => [1, 'a', null, undefined, true], () => [undefined, , null], () => [, ],
  () => [, , 1, , , 2, ,], () => new Array(5), () => [1, , , , , 2],
  () => Object.assign([1, 2], { a: 1, 'b-c': 2, [-1]: 3, 1.5: 4 }), () => Object.assign([], { a: 1 }),
  () => Object.assign([, 1], { k: 'v' }), () => new ListOf(1, 2, 3), () => new ListOf(), () => noProto([1, 2]),
  () => Object.defineProperty([1], 'hidden', { value: 1 }), () => Object.defineProperty([1, 2], 0, { get: () => 1 }),
  () => [[]], () => [[[]]], () => [[[[]]]], () => [{}], () => [[1, [2, [3, [4]]]]], () => numbers(6), () => numbers(7),
  () => numbers(26), () => numbers(100), () => numbers(101), () => numbers(102), () => numbers(250),
  () => numbers(30, (i) => i * 1000), () => numbers(30, (i) => i * i * i * i), () => numbers(30, (i) => -i),
  () => numbers(30, (i) => i / 3), () => numbers(30, (i) => BigInt(i) ** 5n), () => numbers(30, String),
  () => numbers(30, (i) => 'x'.repeat(i)), () => numbers(30, (i) => 'x'.repeat(i % 7)),
  () => numbers(8, (i) => 'long string number ' + i), () => numbers(30, (i) => ({ i })), () => numbers(30, (i) => [i]),
  () => numbers(10, () => undefined), () => numbers(27, (i) => (i % 3 ? i : 'text')),
  () => numbers(20, (i) => '中'.repeat(i % 4 + 1)), () => numbers(20, (i) => '😀'.repeat(i % 3 + 1)),
  () => numbers(20, (i) => 'é' + i), () => numbers(9, () => [1, 2, 3]), () => numbers(7, (i) => numbers(i)),
  () => numbers(3, () => numbers(30)), () => ({ a: numbers(30), b: { c: numbers(30, String), d: { e: numbers(30) } } }),
  () => Object.assign(numbers(30), { key: 'value', other: numbers(10) }), () => Object.assign(numbers(120), { key: 1 }),
  () => numbers(40, (i) => (i % 2 ? true : false)), () => numbers(101, () => 'ab'),
  () => { const a = numbers(20); delete a[5]; return a; }, () => { const a = numbers(120); delete a[50]; return a; },
  () => Object.assign(new Array(200), { 150: 1, 199: 2 }), () => numbers(16, (i) => Symbol(i)),
  // Collections.
  () => new Map(), () => new Map([[1, 2]]), () => new Map([['a', { b: 1 }], [{ k: 1 }, [1, 2]]]), () => new Set(),
  () => new Set([1, 'a', {}]), () => new Set([[1, 2], new Set([3])]), () => new Map(numbers(30, (i) => [i, i])),
  () => new Set(numbers(30)), () => new Set(numbers(120)), () => new Map(numbers(120, (i) => [i, String(i)])),
  () => Object.assign(new Map([[1, 2]]), { key: 1 }), () => Object.assign(new Set(), { key: 1 }),
  () => new MyMap([[1, 2]]), () => noProto(new Map([[1, 2]])), () => noProto(new Set([1])),
  () => new Map([[new Map([[1, new Map([[2, new Map()]])]]), 1]]), () => weak(new WeakMap(), []),
  () => weak(new WeakSet([things]), [things]),
  () => Object.assign(weak(new WeakMap([[things, 1]]), [things, 1]), { a: 1 }), () => noProto(weak(new WeakMap(), [])),
  () => new WeakRef({}), () => Object.create(Map.prototype), () => Object.create(Set.prototype),
  () => new Map([
    ['a very long key for a map', 'a very long value for a map'], ['another very long key', 'another very long value'],
  ]),
  () => new Set(['a very long value for a set, really', 'another very long value for a set']),
  () => keysOf(new Map([[1, 2]])), () => keysOf(new Set([1, { a: 1 }])),
  () => entriesOf(new Map([[1, { a: [1] }], ['x', 2]])), () => entriesOf(new Set([1])),
  () => keysOf(new Map(numbers(120, (i) => [i, i]))), () => Object.assign(keysOf(new Map()), { a: 1 }),
  () => [][Symbol.iterator](), () => 'x'[Symbol.iterator](), () => 'x'.matchAll(/x/g), () => (function* () {})(),
  () => (async function* () {})(), () => Object.assign((function* g() {})(), { a: 1 }),
  // Bytes.
  () => new Uint8Array(), () => new Uint8Array([1, 2, 255]), () => new Int16Array([-1, 0, 1]),
  () => new Float64Array([1.5, -0, NaN]), () => new Float32Array([0.1]), () => new BigInt64Array([1n, -1n]),
  () => new Uint8ClampedArray(30), () => new Uint32Array(120), () => new Uint32Array(numbers(20, (i) => i ** 7)),
  () => Object.assign(new Uint8Array(2), { a: 1 }), () => noProto(new Uint8Array([1])),
  () => new (class Sub extends Uint8Array {})(2), () => new ArrayBuffer(0), () => new ArrayBuffer(4),
  () => new Uint8Array(numbers(60)).buffer, () => Object.assign(new ArrayBuffer(2), { a: 1 }),
  () => noProto(new ArrayBuffer(2)), () => new DataView(new ArrayBuffer(4)),
  () => new DataView(new ArrayBuffer(8), 2, 4), () => noProto(new DataView(new ArrayBuffer(1))),
  () => ({ a: new Uint8Array(3), b: new ArrayBuffer(3) }), () => new Uint8Array(130).buffer,
  // Dates, patterns, boxes.
  () => new Date(0), () => new Date(NaN), () => new Date(1e12), () => Object.assign(new Date(0), { a: 1 }),
  () => noProto(new Date(0)), () => new (class MyDate extends Date {})(5), () => [new Date(0)],
  () => Object.create(Date.prototype), () => /x/, () => /[/]\n/giu, () => Object.assign(/x/g, { a: 1 }),
  () => noProto(/x/), () => new (class MyRegExp extends RegExp {})('a', 'g'), () => [/x/y],
  () => ({ a: { b: { c: Object.assign(/x/, { d: 1 }) } } }), () => Object(1), () => Object(-0), () => Object('str'),
  () => Object("it's"), () => Object(true), () => Object(1n), () => Object(Symbol('b')),
  () => Object.assign(Object('ab'), { k: 1 }), () => Object.assign(Object(5), { k: 1 }), () => noProto(Object(1)),
  () => noProto(Object('abc')), () => new (class Num extends Number {})(3),
  () => new (class Str extends String {})('s'), () => Object('x'.repeat(120)),
  () => Object.defineProperty(Object(1), Symbol.toStringTag, { value: 'T' }),
  // Errors.
  () => new Error(''), () => new Error('message'), () => new TypeError('message'), () => new Error('two\nlines'),
  () => Object.assign(new Error('m'), { code: 'E', extra: { a: 1 } }), () => new Error('m', { cause: new Error('c') }),
  () => new Error('m', { cause: 'text' }), () => new Error('m', { cause: undefined }),
  () => new AggregateError([new Error('a'), 1], 'm'), () => new AggregateError([]), () => new MyError('m'),
  () => new OtherError('m'), () => Object.assign(new Error('m'), { name: 'Changed' }),
  () => Object.assign(new Error('m'), { name: 'ChangedError' }),
  () => Object.assign(new TypeError('m'), { message: 'later' }),
  () => withStack(new Error('m'), 'Error: m\n    at fake (file:1:1)'),
  () => withStack(new Error('m'), 'no frames here'), () => withStack(new Error('m'), undefined),
  () => withStack(new Error('m'), ''), () => withStack(new Error('m'), 12),
  () => Object.assign(new Error('m'), { message: 5 }), () => Object.assign(new Error('m'), { name: undefined }),
  () => Object.assign(new Error('m'), { name: null }), () => Object.assign(new Error('m'), { name: '' }),
  () => noProto(new Error('m')), () => noProto(new TypeError('m')), () => Object.create(Error.prototype),
  () => Object.create(TypeError.prototype), () => ({ e: new Error('m') }), () => [new Error('m'), new Error('n')],
  () => ({ a: { b: { c: new Error('deep') } } }), () => ({ a: { b: { c: { d: new Error('deeper') } } } }),
  () => new (class extends Error {})('anon'),
  () => Object.defineProperty(new Error('m'), Symbol.toStringTag, { value: 'T' }),
  () => { const e = new Error('m'); e.self = e; return e; }, () => { const e = new Error('m'); e.cause = e; return e; },
  () => withStack(new Error('foo', { cause: withStack(new Error('bar'), `Error: bar${frames('zbcde')}`) }), `Error: foo${frames('abcde')}`),
  () => Object.assign(new Error('m'), { errors: [1, new Error('n')] }),
  () => Object.assign(new RangeError('m'), { name: 'TypeError' }),
  () => Object.assign(new OtherError('m'), { name: 'OtherError' }), () => Object.assign(new Error('at\n    at x'), {}),
  () => new (class ValidationError extends MyError {})('v'),
  () => Object.assign(new Error('m'), { toString() { return 'x'; } }),
  () => Object.assign(new Error('m'), { [Symbol('s')]: 1 }),
  // Promises and proxies.
  () => pending(), () => resolved(1), () => resolved({ a: [1, { b: 2 }] }), () => rejected('no'),
  () => rejected(new Error('no')), () => Object.assign(resolved(1), { a: 1 }), () => noProto(resolved(5)),
  () => [pending(), resolved('x')], () => resolved('long text '.repeat(10)), () => makeProxy({ a: 1 }, {}),
  () => makeProxy([1, 2], { get() { throw new Error('trap'); } }), () => makeProxy(function f() {}, { a: 1 }),
  () => makeProxy(makeProxy({ a: { b: { c: 1 } } }, {}), { get: () => 5 }), () => revoked({}),
  () => makeProxy(new Map([[1, 2]]), {}), () => ({ p: makeProxy({ x: { y: {} } }, { h: {} }) }),
  () => makeProxy(new Date(0), {}), () => makeProxy(class A {}, {}),
  () => makeProxy(new Foo(), { ownKeys() { return ['q']; } }), () => [revoked([]), makeProxy([], {})],
  // Objects that come with the language, and arguments.
  () => (function () { return arguments; })(1, 'a'), () => (function () { return arguments; })(),
  () => Object.assign((function () { return arguments; })(1), { k: 1 }),
  () => noProto((function () { return arguments; })(1, 2)),
  // Values that show themselves.
  () => ({ [inspect.custom]() { return 'custom'; } }), () => ({ [inspect.custom]() { return { a: 1 }; } }),
  () => ({ [inspect.custom]() { return this; } }), () => ({ [inspect.custom]: 5, a: 1 }),
  () => ({ nested: { [inspect.custom]() { return 'line\nline'; } } }),
  () => ({ nested: { deep: { [inspect.custom](depth, options) { return `${depth} ${options.depth} ${Object.keys(options)}`; } } } }),
  () => ({ a: { [inspect.custom](depth, options, i) { return i({ x: { y: { z: 1 } } }, options); } } }),
  () => ({ a: { [inspect.custom]() { return { long: 'x'.repeat(50), other: ['y'.repeat(30)] }; } } }),
  () => ({ a: { [inspect.custom](d, { stylize }) { return stylize('styled', 'special') + stylize('x', 'none'); } } }),
  () => ({ [inspect.custom]() { return null; } }), () => ({ [inspect.custom]() { return 5; } }),
  () => ({ [inspect.custom]() { return undefined; } }),
  () => ({ [inspect.custom]() { throw new TypeError('custom'); } }),
  () => new (class Shown { [inspect.custom]() { return 'shown'; } })(),
  () => (class Shown { [inspect.custom]() { return 'shown'; } }).prototype, () => ({ inspect() { return 'old'; } }),
  () => ({ [inspect.custom]: inspect, a: 1 }),
  () => Object.assign(Object.create(null), { [inspect.custom]() { return 'null proto'; } }),
  () => makeProxy({ [inspect.custom]() { return 'through proxy'; } }, {}),
];
// What these hold when hidden properties are shown depends on the engine.
const builtins = [
  () => Math, () => JSON, () => Reflect, () => Atomics, () => Map, () => Function.prototype, () => Map.prototype,
  () => Set.prototype, () => WeakMap.prototype, () => Uint8Array.prototype, () => Date.prototype,
  () => RegExp.prototype, () => Number.prototype, () => String.prototype, () => Boolean.prototype,
  () => Symbol.prototype, () => BigInt.prototype, () => Array.prototype, () => Error.prototype,
  () => TypeError.prototype, () => new SharedArrayBuffer(2), () => new Function('a', 'return a'),
];
const namespace = await import(`${folder}fixtures/namespace.mjs`);
values.push(() => namespace, () => ({ namespace }), () => [[namespace]]);
for (const make of [...values, ...builtins]) {
  for (const options of optionSets) {
    if (options.showHidden && builtins.includes(make)) continue;
    test(`${make} ${Object.entries(options).join(' ')}`, () => withoutFrames(inspect(make(), options)));
  }
}
// Frames as they are given, with those that a cause repeats left out.
for (const [mine, causes] of [
  ['abcde', 'zbcde'], ['abcd', 'bcd'], ['abcdef', 'bcde'], ['abcdefgh', 'xxcdefgh'], ['a', 'a'], ['abcd', 'abcd'],
  ['abcdxabcd', 'yabcd'],
]) {
  for (const colors of [false, true]) {
    test(`cause ${mine} ${causes} ${colors}`, () => inspect({
      e: withStack(new Error('m', { cause: withStack(new TypeError('c'), `TypeError: c${frames(causes)}`) }), `Error: m${frames(mine)}`),
    }, { colors }));
  }
}
for (const line of [
  'at f (node:internal/util:1:2)', 'at node:fs:1:2', 'at f (/app/node_modules/pkg/index.js:1:2)',
  'at /a/node_modules/@s/p/x/node_modules/q/i.js:1:1', 'at async f (file:///x.js:1:1)', 'at f (native)',
]) {
  test(`coloured frame ${line}`, () => inspect(withStack(new Error('m'), `Error: m\n    ${line}`), { colors: true }));
}

// The old form of the options.
for (const args of [
  [true], [false], [true, 0], [false, null], [false, 1, true], [undefined, 0], [null, 1], [true, undefined, true], [{}],
  [{ depth: 0 }, 5],
]) {
  test(`old form ${args}`, () => inspect({
    a: { b: { c: { d: 1 } } }, e: Object.defineProperty({}, 'h', { value: 1 }),
  }, ...args));
}
test('sorted by a function', () => inspect({ b: 1, c: 2, a: { z: 1, y: 2 } }, { sorted: (x, y) => (x < y ? 1 : -1) }));
test('own option', () => inspect({ [inspect.custom](depth, options) { return `${options.mine} ${options.depth}`; } }, {
  mine: 5, depth: 3,
}));
test('stylize option', () => inspect({ a: 1, b: 'x' }, { stylize: (text, style) => `<${style} ${text}>` }));
test('default options', () => {
  const before = { ...inspect.defaultOptions };
  inspect.defaultOptions = { depth: 0 };
  const text = inspect({ a: { b: 1 } });
  Object.assign(inspect.defaultOptions, before);
  return text + JSON.stringify(before);
});
test('default options must be an object', () => { inspect.defaultOptions = null; });
test('default options are sealed', () => Object.isSealed(inspect.defaultOptions));
test('colours', () => JSON.stringify([
  inspect.colors, Object.getOwnPropertyNames(inspect.colors).sort(), inspect.styles, inspect.colors.grey,
  inspect.colors.faint,
]));
test('a new style', () => {
  inspect.styles.number = 'red';
  const text = inspect([1], { colors: true });
  inspect.styles.number = 'yellow';
  return text;
});
test('too deep for the stack', () => {
  let o = {};
  const top = o;
  for (let i = 0; i < 100000; i++) o = o.a = {};
  return /Inspection interrupted prematurely. Maximum call stack size exceeded./.test(inspect(top, { depth: Infinity }));
});

// Placeholders.
const formatted = [
  1, -0, 1.5, 'x', "it's", null, undefined, true, 5n, Symbol('s'), { a: { b: { c: 1 } } }, [1, [2, [3]]], () => {},
  function named() {}, class A {}, new Foo(), new Date(0), withStack(new Error('m'), `Error: m${frames('abcdefgh')}`),
  { toString() { return 'own'; } }, new (class { toString() { return 'inherited'; } })(), new (class extends Foo {})(),
  Object.create(null), '12.5px', '0x1f', new Map([[1, 2]]), { toJSON() { return 'json'; } }, 123456.789, [], {}, NaN,
  { [Symbol.toPrimitive]: () => 7 },
];
for (const thing of formatted) {
  for (const text of [
    '%s', '%d', '%i', '%f', '%j', '%o', '%O', '%c', '%%', '%x', '%', 'a%sb', '%s%s', '%%%s', '%s%%', 'no placeholder',
  ]) {
    test(`format ${text} ${typeof thing} ${formatted.indexOf(thing)}`, () => {
      try {
        return withoutFrames(format(text, thing));
      } catch (error) {
        return `throws ${error.name}`; // in the words of the engine
      }
    });
  }
  test('format alone', () => withoutFrames(format(thing)));
  test('format twice', () => withoutFrames(format(thing, thing)));
  test('format colours', () => withoutFrames(formatWithOptions({
    colors: true, numericSeparator: true,
  }, '%s %d %i %f %o %O', thing, 12345, 12345n, 12345.678, thing, thing)));
}
for (const args of [
  [], ['%s'], ['%s', 1, 2], ['%s %s', 1], ['%s %s %s', 1, 2], ['%%s%s', 'foo'], ['%%%s%%', 'hi'], ['%%%s%%%%', 'hi'],
  ['%sbc%%def', 'a'], ['%d%%', 5], ['%j', (() => { const o = {}; o.o = o; return o; })()], ['%j %j', undefined, 1],
  ['%', 1], ['%%', 1], ['100%', 1], ['%s%', 1], ['a', 'b', { c: 1 }], [1, 'a'], ['%c styled', 'css'],
  ['%s', 'a', 'b', ['c']], ['%%%%'], ['%%'], ['%%', '%s', 1], ['x%%y'], [undefined, '%s', 1],
  ['%O', { a: { b: { c: { d: { e: 1 } } } } }], ['%o', [1, [2]]], ['%i', '1.9'], ['%f', '1.9x'], ['%d', ''], ['%d', {}],
  ['%i', {}], ['%s', 'x', 'y\nz'],
]) {
  test(`format ${args.map(String).join(', ')}`.slice(0, 60), () => format(...args));
}
for (const options of [{}, { depth: 0 }, { compact: false }, null, 5, 'x', undefined, [], () => {}]) {
  test(`formatWithOptions ${inspect(options)}`, () => formatWithOptions(options, '%O and', { a: { b: 1 } }, [{ c: 2 }]));
}
test('format %j that throws', () => format('%j', { toJSON() { throw new RangeError('json'); } }));

// Widths and terminal sequences.
for (const text of [
  '', 'abc', 'é', 'e\u0301', '中文', '😀', '👨‍👩‍👧', '\x1b[31mred\x1b[39m', '\n\t', '\u200b', '\ud800', 'a\u00adb',
  '\x1b]0;title\x07x', '\x1b[1;31;42mx\x1b[0m', '\x9b31mx', '\x1b[2Kx', '\x1b(Bx', '\x1b[?25hx',
  '\x1b]8;;http://example.com/a?b=c\x07link\x1b]8;;\x07', '\x1b]8;;http://example.com\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[38;5;123mx', '\x1b[x', '\x1bc', '\x1b[10;20Hx', '\x1b7x\x1b8', 'ｆｕｌｌ', 'ﾊﾝｶｸ', '\u{1f3fb}', '\u1100\u1161',
]) {
  test(`width ${JSON.stringify(text)}`, () => `${getStringWidth(text)} ${getStringWidth(text, false)} ${JSON.stringify(stripVTControlCharacters(text))}`);
}
for (const value of [
  1, null, undefined, {}, [],
]) test(`strip ${inspect(value)}`, () => stripVTControlCharacters(value));
