// Verdicts of deep equality on a table of values, each against each, and on special pairs.
const { isDeepEqual, isDeepStrictEqual } = load('internal/util/comparisons');
const verdict = (a, b) => `${isDeepEqual(a, b)} ${isDeepStrictEqual(a, b)}`;

const symbol = Symbol('s');
const other = Symbol('t');
const fn = () => {};
class Foo { constructor(x) { this.x = x; } }
class Bar { constructor(x) { this.x = x; } }
const args = function () { return arguments; };
const make = (object, ...extra) => Object.assign(object, ...extra);
const hidden = (object, key, value) => Object.defineProperty(object, key, { value, configurable: true });
const bytes = (...list) => new Uint8Array(list);
const cyclic = (key) => { const o = { a: 1 }; o[key] = o; return o; };
const cyclicArray = (depth) => { const a = []; let at = a; for (let i = 0; i < depth; i++) { const next = []; at.push(next); at = next; } at.push(a); return a; };
const cyclicMap = () => { const m = new Map(); m.set('self', m); return m; };
const cyclicSet = () => { const s = new Set(); s.add(s); return s; };

// Functions, so that each pair is made of values of its own.
const values = {
  'undefined': () => undefined, 'null': () => null, 'true': () => true, 'false': () => false, '0': () => 0, '-0': () => -0, '1': () => 1, 'NaN': () => NaN,
  '1n': () => 1n, '0n': () => 0n, '""': () => '', '"1"': () => '1', '"a"': () => 'a', 'symbol': () => symbol, 'other symbol': () => other, 'new symbol': () => Symbol('s'),
  'fn': () => fn, 'new fn': () => () => {}, 'class Foo': () => Foo,
  '{}': () => ({}), '{a:1}': () => ({ a: 1 }), '{a:"1"}': () => ({ a: '1' }), '{a:undefined}': () => ({ a: undefined }), '{b:undefined}': () => ({ b: undefined }),
  '{a:1,b:2}': () => ({ a: 1, b: 2 }), '{b:2,a:1}': () => ({ b: 2, a: 1 }), 'null proto': () => ({ __proto__: null, a: 1 }), '{0:1}': () => ({ 0: 1 }), '{0:1,length:1}': () => ({ 0: 1, length: 1 }),
  'symbol key': () => ({ [symbol]: 1 }), 'symbol key 2': () => ({ [symbol]: 2 }), 'other symbol key': () => ({ [other]: 1 }), 'hidden a': () => hidden({ b: 1 }, 'a', 1), 'hidden a of {}': () => hidden({}, 'a', 1),
  'Foo(1)': () => new Foo(1), 'Foo(2)': () => new Foo(2), 'Bar(1)': () => new Bar(1), '{x:1}': () => ({ x: 1 }), 'Object.create(Foo)': () => Object.create(Foo.prototype),
  '[]': () => [], '[1]': () => [1], '["1"]': () => ['1'], '[1,2]': () => [1, 2], '[2,1]': () => [2, 1], '[,]': () => [,], '[undefined]': () => [undefined], '[1,,3]': () => [1, , 3], '[1,undefined,3]': () => [1, undefined, 3], '[,1,,2]': () => [, 1, , 2],
  '[1,,3,4]': () => [1, , 3, 4], '[1,2] x': () => make([1, 2], { x: 1 }), '[1,2] x:2': () => make([1, 2], { x: 2 }), '[1,2] y': () => make([1, 2], { y: 1 }), '[,1] x': () => make([, 1], { x: 1 }), '[,1] x:2': () => make([, 1], { x: 2 }), '[1] symbol': () => make([1], { [symbol]: 1 }), '[1] symbol 2': () => make([1], { [symbol]: 2 }),
  '[,1] symbol': () => make([, 1], { [symbol]: 1 }), '[,1] symbol 2': () => make([, 1], { [symbol]: 2 }), '[,1]': () => [, 1], 'big sparse': () => make([], { 4294967290: 1 }), 'array -1': () => make([1], { '-1': 1 }), 'array 01': () => make([1], { '01': 1 }), 'array 4294967295': () => make([1], { 4294967295: 1 }),
  '[NaN]': () => [NaN], '[-0]': () => [-0], '[0]': () => [0], '[[]]': () => [[]], '[{}]': () => [{}], '[null]': () => [null], 'array null proto': () => Object.setPrototypeOf([1], null), 'array subclass': () => { class A extends Array {} return A.from([1]); },
  'arguments()': () => args(), 'arguments(1)': () => args(1), 'arguments("1")': () => args('1'),
  'Set{}': () => new Set(), 'Set{1}': () => new Set([1]), 'Set{"1"}': () => new Set(['1']), 'Set{true}': () => new Set([true]), 'Set{1,2}': () => new Set([1, 2]), 'Set{2,1}': () => new Set([2, 1]), 'Set{1,"2"}': () => new Set([1, '2']), 'Set{"1",2}': () => new Set(['1', 2]), 'Set{null}': () => new Set([null]), 'Set{undefined}': () => new Set([undefined]), 'Set{null,undefined}': () => new Set([null, undefined]),
  'Set{{}}': () => new Set([{}]), 'Set{{a:1}}': () => new Set([{ a: 1 }]), 'Set{{a:"1"}}': () => new Set([{ a: '1' }]), 'Set{{a:1},{a:2}}': () => new Set([{ a: 1 }, { a: 2 }]), 'Set{{a:2},{a:1}}': () => new Set([{ a: 2 }, { a: 1 }]), 'Set{{a:1},{a:1}}': () => new Set([{ a: 1 }, { a: 1 }]), 'Set{{a:1},{a:"1"}}': () => new Set([{ a: 1 }, { a: '1' }]), 'Set{[1],["1"]}': () => new Set([[1], ['1']]), 'Set{["1"],[1]}': () => new Set([['1'], [1]]),
  'Set{NaN}': () => new Set([NaN]), 'Set{0}': () => new Set([0]), 'Set{""}': () => new Set(['']), 'Set{false}': () => new Set([false]), 'Set{"a"}': () => new Set(['a']), 'Set{symbol}': () => new Set([symbol]), 'Set{fn}': () => new Set([fn]), 'Set{new fn}': () => new Set([() => {}]), 'Set{1n}': () => new Set([1n]), 'Set x': () => make(new Set([1]), { x: 1 }), 'Set{1,{}}': () => new Set([1, {}]), 'Set{{},1}': () => new Set([{}, 1]), 'Set{"1",{}}': () => new Set(['1', {}]),
  'Set{1,2,3}': () => new Set([1, 2, 3]), 'Set{"1",2,"3"}': () => new Set(['1', 2, '3']), 'Set{[1,2]}': () => new Set([[1, 2]]), 'Set{Set{1}}': () => new Set([new Set([1])]), 'Set{Set{"1"}}': () => new Set([new Set(['1'])]),
  'Map{}': () => new Map(), 'Map{a:1}': () => new Map([['a', 1]]), 'Map{a:"1"}': () => new Map([['a', '1']]), 'Map{1:1}': () => new Map([[1, 1]]), 'Map{"1":1}': () => new Map([['1', 1]]), 'Map{"1":"1"}': () => new Map([['1', '1']]), 'Map{true:1}': () => new Map([[true, 1]]), 'Map{null:1}': () => new Map([[null, 1]]), 'Map{undefined:1}': () => new Map([[undefined, 1]]), 'Map{undefined:undefined}': () => new Map([[undefined, undefined]]), 'Map{null:undefined}': () => new Map([[null, undefined]]), 'Map{a:undefined}': () => new Map([['a', undefined]]), 'Map{b:undefined}': () => new Map([['b', undefined]]),
  'Map{{}:1}': () => new Map([[{}, 1]]), 'Map{{}:2}': () => new Map([[{}, 2]]), 'Map{{}:a,{}:b}': () => new Map([[{}, 'a'], [{}, 'b']]), 'Map{{}:b,{}:a}': () => new Map([[{}, 'b'], [{}, 'a']]), 'Map{{a:1}:1}': () => new Map([[{ a: 1 }, 1]]), 'Map{{a:"1"}:1}': () => new Map([[{ a: '1' }, 1]]), 'Map{a:{}}': () => new Map([['a', {}]]), 'Map{a,b}': () => new Map([['a', 1], ['b', 2]]), 'Map{b,a}': () => new Map([['b', 2], ['a', 1]]), 'Map{1:1,"1":2}': () => new Map([[1, 1], ['1', 2]]), 'Map{1:2,"1":1}': () => new Map([[1, 2], ['1', 1]]), 'Map{"1":2,true:1}': () => new Map([['1', 2], [true, 1]]),
  'Map{symbol}': () => new Map([[symbol, 1]]), 'Map{NaN}': () => new Map([[NaN, 1]]), 'Map x': () => make(new Map([['a', 1]]), { x: 1 }), 'Map{null,undefined}': () => new Map([[null, 1], [undefined, 1]]), 'Map{null:{}}': () => new Map([[null, {}]]), 'Map{undefined:{}}': () => new Map([[undefined, {}]]),
  'Date(0)': () => new Date(0), 'Date(1)': () => new Date(1), 'Date(NaN)': () => new Date(NaN), 'Date x': () => make(new Date(0), { x: 1 }), 'fake date': () => Object.create(Date.prototype), 'date subclass': () => { class D extends Date {} return new D(0); },
  '/a/': () => /a/, '/a/g': () => /a/g, '/b/': () => /b/, '/a/ lastIndex': () => make(/a/, { lastIndex: 2 }), '/a/ x': () => make(/a/, { x: 1 }), '/(?:)/': () => new RegExp(''),
  'Error()': () => new Error(), 'Error(a)': () => new Error('a'), 'Error(b)': () => new Error('b'), 'TypeError(a)': () => new TypeError('a'), 'Error(a) x': () => make(new Error('a'), { x: 1 }), 'Error cause 1': () => new Error('a', { cause: 1 }), 'Error cause "1"': () => new Error('a', { cause: '1' }), 'Error cause undefined': () => new Error('a', { cause: undefined }), 'Error cause Error': () => new Error('a', { cause: new Error('b') }), 'Error cause Error c': () => new Error('a', { cause: new Error('c') }),
  'Aggregate [1]': () => new AggregateError([1], 'a'), 'Aggregate [2]': () => new AggregateError([2], 'a'), 'Aggregate ["1"]': () => new AggregateError(['1'], 'a'), 'Error named': () => hidden(new Error('a'), 'name', 'Foo'), 'Error enumerable name': () => make(new Error('a'), { name: 'Error' }), 'Error enumerable message': () => make(new Error(), { message: 'a' }), 'Error shown message': () => Object.defineProperty(new Error('a'), 'message', { enumerable: true }), 'Error enumerable cause': () => make(new Error('a'), { cause: 1 }), 'fake error': () => Object.create(Error.prototype), 'fake error a': () => make(Object.create(Error.prototype), { message: 'a' }),
  'Number(1)': () => Object(1), 'Number(2)': () => Object(2), 'Number(0)': () => Object(0), 'Number(-0)': () => Object(-0), 'Number(NaN)': () => Object(NaN), 'String(1)': () => Object('1'), 'String(a)': () => Object('a'), 'String(ab)': () => Object('ab'), 'Boolean(true)': () => Object(true), 'Boolean(false)': () => Object(false), 'BigInt(1)': () => Object(1n), 'BigInt(2)': () => Object(2n), 'Symbol(s)': () => Object(symbol), 'Symbol(t)': () => Object(other), 'Number(1) x': () => make(Object(1), { x: 1 }), 'String(a) x': () => make(Object('a'), { x: 1 }),
  'Uint8Array': () => bytes(1, 2), 'Uint8Array 2': () => bytes(1, 3), 'Uint8Array 3': () => bytes(1, 2, 3), 'Uint8Array x': () => make(bytes(1, 2), { x: 1 }), 'Uint8Array symbol': () => make(bytes(1, 2), { [symbol]: 1 }), 'Uint8Array part': () => bytes(0, 1, 2, 3).subarray(1, 3), 'Int8Array': () => new Int8Array([1, 2]), 'Uint8ClampedArray': () => new Uint8ClampedArray([1, 2]), 'Uint16Array': () => new Uint16Array([1, 2]), 'Float32Array 0': () => new Float32Array([0]), 'Float32Array -0': () => new Float32Array([-0]), 'Float64Array NaN': () => new Float64Array([NaN]), 'Float64Array 1': () => new Float64Array([1]), 'BigInt64Array': () => new BigInt64Array([1n]), 'empty Uint8Array': () => bytes(),
  'DataView': () => new DataView(bytes(1, 2).buffer), 'DataView 2': () => new DataView(bytes(1, 3).buffer), 'ArrayBuffer': () => bytes(1, 2).buffer, 'ArrayBuffer 2': () => bytes(1, 3).buffer, 'ArrayBuffer 3': () => new ArrayBuffer(3), 'SharedArrayBuffer': () => new SharedArrayBuffer(2), 'ArrayBuffer(2)': () => new ArrayBuffer(2), 'ArrayBuffer x': () => make(bytes(1, 2).buffer, { x: 1 }),
  'WeakMap': () => new WeakMap(), 'WeakMap x': () => make(new WeakMap(), { x: 1 }), 'WeakSet': () => new WeakSet(), 'Promise': () => Promise.resolve(1), 'Promise 2': () => Promise.resolve(2), 'WeakRef': () => new WeakRef({}),
  'generator': () => (function* () {})(), 'iterator': () => [][Symbol.iterator](), 'Math': () => Math, 'JSON': () => JSON, 'globalThis': () => globalThis,
  'tag Date': () => ({ [Symbol.toStringTag]: 'Date' }), 'tag Map': () => ({ [Symbol.toStringTag]: 'Map' }), 'tag foo': () => ({ [Symbol.toStringTag]: 'foo' }), 'tag in proto': () => Object.create({ [Symbol.toStringTag]: 'foo' }), 'tag Array': () => ({ [Symbol.toStringTag]: 'Array' }), 'tag Error': () => ({ [Symbol.toStringTag]: 'Error', message: 'a' }), 'date tagged Map': () => make(new Date(0), { [Symbol.toStringTag]: 'Map' }), 'Map tagged Object': () => hidden(new Map([[1, 2]]), Symbol.toStringTag, 'Object'), 'tag Uint8Array': () => ({ [Symbol.toStringTag]: 'Uint8Array' }), 'tag Number': () => ({ [Symbol.toStringTag]: 'Number' }),
  'proxy {}': () => new Proxy({}, {}), 'proxy {a:1}': () => new Proxy({ a: 1 }, {}), 'proxy [1]': () => new Proxy([1], {}), 'proxy Map': () => new Proxy(new Map(), {}), 'proxy Date': () => new Proxy(new Date(0), {}), 'proxy Error': () => new Proxy(new Error('a'), {}), 'proxy fn': () => new Proxy(fn, {}), 'getter': () => ({ get a() { return 1; } }),
  'cyclic a': () => cyclic('self'), 'cyclic b': () => cyclic('other'), 'cyclic array 0': () => cyclicArray(0), 'cyclic array 1': () => cyclicArray(1), 'cyclic array 2': () => cyclicArray(2), 'cyclic array 3': () => cyclicArray(3), 'cyclic map': cyclicMap, 'cyclic set': cyclicSet, 'map of cyclic map': () => new Map([['self', cyclicMap()]]), 'set of cyclic set': () => new Set([cyclicSet()]), '{cyclic}': () => ({ a: 1, self: cyclic('self') }),
};

// One case per value: its verdicts against all others. `!` marks a pair that the engines settle
// by throwing, such as a getter called on a prototype.
const letters = { 'false false': '.', 'true false': 'l', 'false true': 's', 'true true': '=' };
const names = Object.keys(values);
for (const name of names) {
  test(name, () => names.map((against) => {
    let result;
    try { result = letters[verdict(values[name](), values[against]())]; } catch { result = '!'; }
    return result === '.' ? '' : `${against} ${result}`;
  }).filter(Boolean).join('\n'));
  test(`${name} with itself`, () => { const value = values[name](); return verdict(value, value); });
}

// Node takes a hidden symbol for a match of any symbol of the other side; not so here, and only
// the pairs in which that makes no difference are compared.
test('hidden symbol', () => {
  const value = hidden({}, symbol, 1);
  return [{}, { [symbol]: 1 }, value, hidden({}, other, 1)].map((against) => [verdict(value, against), verdict(against, value)]);
});

// Deeply nested and shared values.
const nested = (depth, leaf) => { let value = leaf; for (let i = 0; i < depth; i++) value = i % 2 ? { value } : [value]; return value; };
test('deep', () => verdict(nested(300, 1), nested(300, 1)));
test('deep loose', () => verdict(nested(300, 1), nested(300, '1')));
test('deep different', () => verdict(nested(300, 1), nested(300, 2)));
test('shared', () => { const s = { a: 1 }; return verdict([s, s], [{ a: 1 }, { a: 1 }]); });
test('crossed cycles', () => {
  const a = { n: {} }; a.n.up = a; const b = { n: {} }; b.n.up = b.n;
  return [verdict(a, b), verdict(b, a)];
});
test('cycle of two lengths', () => {
  const a = {}; a.x = { x: a }; const b = {}; b.x = { x: { x: b } };
  return [verdict(a, b), verdict(b, a)];
});
test('cycle in error', () => {
  const a = new Error('a'); a.cause = a; const b = new Error('a'); b.cause = b;
  return verdict(a, b);
});
test('cycle in keys', () => {
  const a = new Map(); a.set({ a }, 1); const b = new Map(); b.set({ a: b }, 1);
  return verdict(a, b);
});
test('unequal then equal partner', () => verdict(new Set([[1, { a: 1 }], [1, { a: 2 }]]), new Set([[1, { a: 2 }], [1, { a: 1 }]])));
test('large sets', () => verdict(new Set(Array.from({ length: 50 }, (_, i) => ({ i }))), new Set(Array.from({ length: 50 }, (_, i) => ({ i: 49 - i })))));
test('large arrays', () => verdict(Array.from({ length: 10000 }, (_, i) => i), Array.from({ length: 10000 }, (_, i) => i)));
test('large array, last differs', () => verdict(Array.from({ length: 10000 }, (_, i) => i), Array.from({ length: 10000 }, (_, i) => (i === 9999 ? 0 : i))));
test('URLs', () => {
  const { URL } = onNode ? globalThis : load('internal/url');
  const make = (text) => new URL(text);
  return [['http://a', 'http://a/'], ['http://a/?b', 'http://a/?c'], ['http://a/#b', 'http://a/']].map(([a, b]) => verdict(make(a), make(b)));
});
test('Buffers', () => {
  const { Buffer } = load('buffer');
  return [verdict(Buffer.from('ab'), Buffer.from('ab')), verdict(Buffer.from('ab'), Buffer.from('ac')), verdict(Buffer.from('ab'), new Uint8Array([97, 98])), verdict(Buffer.from('ab'), [97, 98])];
});
test('extra arguments', () => isDeepStrictEqual(1, 1, 2));
