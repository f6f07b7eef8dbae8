// structuredClone.
if (!onNode) {
  binding.now = () => 0;
  binding.born = 0;
  binding.bearablePattern = (pattern) => pattern;
  binding.queueMessage = () => {};
  binding.getFrame = binding.swapFrame = () => undefined;
  binding.holdLoop = () => {};
}
const { structuredClone } = onNode ? globalThis : load('internal/structured_clone');
const { MessageChannel } = onNode ? globalThis : load('internal/messaging');
const { Event, EventTarget } = load('internal/event_target');
const { AbortController } = load('internal/abort_controller');
const DOMException = onNode ? globalThis.DOMException : load('internal/domexception').DOMException;
const { inspect } = load(onNode ? 'util' : 'internal/util/inspect');

const show = (value) => withoutFrames(inspect(value, { depth: 6 }));
const copies = (label, value) => test(label, () => {
  const copy = structuredClone(value());
  return [show(copy), Object.prototype.toString.call(copy), copy === null || typeof copy !== 'object' ? '' : Object.getPrototypeOf(copy) === Object.prototype];
});
const refused = (label, value) => test(label, () => {
  try { return `cloned: ${show(structuredClone(value()))}`; } catch (error) { return [error.constructor.name, error.name, error.code, error.message, error instanceof DOMException]; }
});

test('shape', () => [structuredClone.name, structuredClone.length]);
// Primitives, plain and boxed.
for (const value of [undefined, null, true, false, 0, -0, 1.5, NaN, Infinity, -Infinity, '', 'text', '\u{1f600}\ud800', 0n, -(2n ** 70n)]) {
  copies(`primitive ${String(value)} ${Object.is(value, -0)}`, () => value);
  test(`same ${String(value)}`, () => Object.is(structuredClone(value), value));
  if (value != null) copies(`boxed ${String(value)} ${Object.is(value, -0)}`, () => Object(value));
}
copies('boxed with properties', () => Object.assign(Object('str'), { x: 1 }));

// Objects.
copies('empty', () => ({}));
copies('nested', () => ({ a: { b: { c: [1, { d: 2 }] } } }));
copies('order of keys', () => ({ b: 1, 2: 2, a: 3, 1: 4 }));
copies('null prototype', () => ({ __proto__: null, a: 1 }));
copies('class instance', () => new (class Foo { a = 1; #p = 2; get g() { return 3; } m() {} })());
copies('getter', () => ({ get a() { return [1]; } }));
copies('setter only', () => ({ set a(v) {}, b: 1 }));
copies('not enumerable', () => Object.defineProperty({ b: 1 }, 'a', { value: 1 }));
copies('symbol keys', () => ({ [Symbol('a')]: 1, b: 2 }));
copies('__proto__ as key', () => JSON.parse('{"__proto__": {"x": 1}, "a": 2}'));
copies('inherited', () => Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } }));
copies('frozen', () => Object.freeze({ a: Object.freeze([1]) }));
test('frozen no longer', () => Object.isFrozen(structuredClone(Object.freeze({ a: 1 }))));
test('getter that throws', () => structuredClone({ get a() { throw new RangeError('getter'); } }));
copies('getter that deletes', () => ({ get a() { delete this.b; return 1; }, b: 2, c: 3 }));
copies('getter that adds', () => ({ get a() { this.z = 1; return 1; }, b: 2 }));
copies('getter that changes', () => ({ get a() { this.b = 'changed'; return 1; }, b: 2 }));
copies('toStringTag', () => ({ [Symbol.toStringTag]: 'Map', a: 1 }));
copies('class with a tag', () => new (class { get [Symbol.toStringTag]() { return 'Promise'; } a = 1; })());
for (const [name, value] of Object.entries({ Math, JSON, Reflect, Atomics })) copies(name, () => value);
copies('event', () => new Event('x'));
copies('event target', () => new EventTarget());
copies('abort controller', () => new AbortController());
copies('DOMException', () => new DOMException('m', 'AbortError'));
copies('Error.prototype', () => Error.prototype);
copies('Map.prototype', () => Map.prototype);

// Arrays.
copies('array', () => [1, 'a', null, undefined, [2]]);
copies('holes', () => [1, , 3, , ]);
copies('only holes', () => new Array(5));
copies('array with properties', () => Object.assign([1, 2], { foo: 'x', '-1': 'y' }));
copies('holes and properties', () => Object.assign([, 1], { foo: 'x' }));
copies('far away', () => { const a = [1]; a[5000] = 2; return a; });
test('length only', () => structuredClone(Object.assign([], { length: 1e9 })).length);
copies('subclass of Array', () => new (class Mine extends Array {})(1, 2, 3));
copies('array with a getter', () => Object.defineProperty([1, 2], 0, { get: () => 'got', enumerable: true }));
copies('array that shrinks', () => { const a = [0, 1, 2]; Object.defineProperty(a, 0, { get() { a.length = 2; return 'x'; }, enumerable: true, configurable: true }); return a; });
copies('large', () => Array.from({ length: 1000 }, (_, i) => i).slice(-3));

// Collections.
copies('map', () => new Map([[1, 'a'], [{ k: 1 }, new Map([[2, 3]])], [NaN, -0]]));
copies('set', () => new Set([1, 'a', { b: 1 }, new Set([2])]));
copies('map with properties', () => Object.assign(new Map([[1, 2]]), { x: 1 }));
copies('subclass of Map', () => new (class Mine extends Map {})([[1, 2]]));
copies('map with another iterator', () => { const m = new Map([[1, 2]]); m[Symbol.iterator] = null; m.forEach = null; Object.defineProperty(m, 'size', { value: 99 }); return m; });
copies('map that grows', () => { const m = new Map(); m.set({ get a() { m.set(5, 5); return 1; } }, 1); return m; });
copies('set that shrinks', () => { const s = new Set(); s.add({ get a() { s.delete(2); return 1; } }); s.add(2); return s; });
copies('map with a tag', () => { const m = new Map([[1, 2]]); Object.defineProperty(m, Symbol.toStringTag, { value: 'Other' }); return m; });
test('keys keep their identity', () => { const k = {}; const c = structuredClone({ k, m: new Map([[k, k]]), s: new Set([k]) }); return [c.m.has(c.k), c.m.get(c.k) === c.k, c.s.has(c.k), c.k !== k]; });

// Dates and patterns.
copies('date', () => new Date(123456789));
copies('invalid date', () => new Date(NaN));
copies('date with properties', () => Object.assign(new Date(5), { x: 1, getTime: null }));
for (const re of [/a/, /a\/b/gimsuy, /(?<n>x)/d, new RegExp(''), /[\n]/v]) copies(`pattern ${re}`, () => re);
test('pattern state', () => { const re = /a/g; re.lastIndex = 3; re.x = 1; const c = structuredClone(re); return [c.lastIndex, c.x, c !== re]; });

// Errors.
const errorFacts = (error) => [Object.prototype.toString.call(error), error.name, error.message, Object.getPrototypeOf(error).constructor.name, Object.getOwnPropertyNames(error).filter((k) => k !== 'stack').sort().join(), typeof error.stack, Object.keys(error).length];
for (const Class of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) test(`error ${Class.name}`, () => errorFacts(structuredClone(new Class('m'))));
const errors = {
  'no message': () => new Error(), 'empty message': () => new Error(''), aggregate: () => new AggregateError([new Error('a')], 'm'),
  'own name': () => Object.assign(new Error('m'), { name: 'Custom' }), 'name of another class': () => Object.assign(new Error('m'), { name: 'RangeError' }),
  subclass: () => new (class Mine extends TypeError {})('m'), 'subclass with name': () => new (class Mine extends Error { name = 'Mine'; extra = 1; })('m'),
  'extra properties': () => Object.assign(new Error('m'), { code: 'E', errno: 1 }), 'message of a number': () => Object.assign(new Error(), { message: 5 }),
  'message from a getter': () => Object.defineProperty(new Error(), 'message', { get: () => 'g' }),
  'own stack': () => Object.assign(new Error('m'), { stack: 'my stack' }), 'name is an object': () => Object.assign(new Error('m'), { name: { toString: () => 'TypeError' } }),
};
for (const [label, make] of Object.entries(errors)) test(`error: ${label}`, () => errorFacts(structuredClone(make())));
test('error keeps its stack', () => { const e = new Error('m'); return structuredClone(e).stack === e.stack; });
test('error with own stack', () => structuredClone(Object.assign(new Error('m'), { stack: 'mine' })).stack);
test('cause', () => { const c = structuredClone(new Error('m', { cause: { a: [1] } })); return [JSON.stringify(c.cause), Object.getOwnPropertyDescriptor(c, 'cause').enumerable]; });
test('cause undefined', () => Object.hasOwn(structuredClone(new Error('m', { cause: undefined })), 'cause'));
test('cause is an error', () => { const c = structuredClone(new Error('m', { cause: new TypeError('inner') })); return [c.cause.name, c.cause.message, c.cause instanceof TypeError]; });
refused('cause is a function', () => new Error('m', { cause: () => 1 }));
test('error among others', () => { const e = new Error('m'); const c = structuredClone({ a: e, b: [e] }); return [c.a === c.b[0], c.a instanceof Error]; });

// Binary data.
const bytes = () => new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
copies('buffer', () => bytes().buffer);
copies('empty buffer', () => new ArrayBuffer(0));
copies('shared buffer', () => new SharedArrayBuffer(4));
for (const Class of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]) {
  copies(Class.name, () => new Class(bytes().buffer));
}
copies('part of a buffer', () => bytes().subarray(2, 5));
test('the rest of the buffer comes along', () => { const c = structuredClone(bytes().subarray(2, 5)); return [c.byteOffset, c.byteLength, c.buffer.byteLength, new Uint8Array(c.buffer)]; });
copies('DataView', () => new DataView(bytes().buffer, 2, 4));
copies('view with properties', () => Object.assign(bytes(), { x: 1 }));
copies('subclass of Uint8Array', () => new (class Mine extends Uint8Array {})(2));
test('views share their buffer', () => { const b = bytes().buffer; const c = structuredClone({ b, u: new Uint8Array(b), d: new DataView(b) }); c.u[0] = 99; return [c.b === c.u.buffer, c.d.getUint8(0), new Uint8Array(b)[0]]; });
test('views that follow the length of their buffer', () => {
  const b = new ArrayBuffer(24, { maxByteLength: 64 });
  new Uint8Array(b).fill(7);
  const views = () => [new Uint8Array(b), new Uint8Array(b, 4), new Float64Array(b, 8), new DataView(b, 2), new Uint8Array(b, 24), b];
  const fixed = () => [new Uint8Array(b, 4, 4), new Uint8Array(b, 20, 4), new Float64Array(b, 16, 1), new DataView(b, 20, 4), new Uint8Array(b, 24, 0)];
  const list = [...views(), ...fixed()];
  const copy = structuredClone(list);
  copy[5].resize(32);
  const moved = structuredClone(list, { transfer: [b] });
  moved[5].resize(20);
  return [copy, moved].map((all) => all.map((one) => { try { return one.byteLength; } catch { return 'outside'; } }).concat(new Uint8Array(all[5]).join('')));
});
test('a view that follows the length of a buffer at its longest', () => { const b = new ArrayBuffer(4, { maxByteLength: 4 }); const c = structuredClone([new Uint8Array(b), new Uint8Array(b, 0, 4), b]); c[2].resize(2); return [c[0].length, c[1].length, c[2].byteLength]; });
for (const Class of [Uint8Array, Float64Array, DataView]) {
  refused(`${Class.name} beyond a shorter buffer`, () => { const b = new ArrayBuffer(16, { maxByteLength: 16 }); const view = new Class(b, 8); b.resize(4); return view; });
  refused(`${Class.name} of a length that a buffer has no more`, () => { const b = new ArrayBuffer(16, { maxByteLength: 16 }); const view = new Class(b, 0, 1); b.resize(0); return view; });
}
test('resizable', () => { const c = structuredClone(new ArrayBuffer(4, { maxByteLength: 8 })); return [c.byteLength, c.resizable, c.maxByteLength]; });

// Shared and circular.
test('circular object', () => { const o = {}; o.o = o; const c = structuredClone(o); return [c.o === c, c !== o]; });
test('circular array', () => { const a = [1]; a.push(a); const c = structuredClone(a); return c[1] === c; });
test('circular map', () => { const m = new Map(); m.set(m, m); const c = structuredClone(m); return [c.has(c), c.get(c) === c]; });
test('circular set', () => { const s = new Set(); s.add(s); const c = structuredClone(s); return c.has(c); });
for (const [name, make] of Object.entries({ date: () => new Date(), pattern: () => /x/, boxed: () => Object(1), buffer: () => new ArrayBuffer(1), object: () => ({}), array: () => [] })) {
  test(`shared ${name}`, () => { const v = make(); const c = structuredClone([v, v, make()]); return [c[0] === c[1], c[0] !== v, c[1] !== c[2]]; });
}
test('deep', () => { let o = {}; for (let i = 0; i < 300; i++) o = { o }; let depth = 0; for (let c = structuredClone(o); c.o; c = c.o) depth++; return depth; });

// What cannot be copied.
const cannot = {
  arrow: () => () => {}, function: () => function foo(a, b) { return a + b; }, class: () => class A { x = 1; }, generator: () => function* g() {}, async: () => async () => {},
  symbol: () => Symbol('x'), 'well-known symbol': () => Symbol.iterator, 'empty symbol': () => Symbol(), 'boxed symbol': () => Object(Symbol('q')),
  WeakMap: () => new WeakMap(), WeakSet: () => new WeakSet(), WeakRef: () => new WeakRef({}), FinalizationRegistry: () => new FinalizationRegistry(() => {}),
  Promise: () => Promise.resolve(1), 'subclass of Promise': () => new (class Mine extends Promise {})(() => {}), 'generator object': () => (function* () {})(), 'async generator object': () => (async function* () {})(),
  'subclass of WeakMap': () => new (class Mine extends WeakMap {})(), arguments: () => (function() { return arguments; })(1, 2), global: () => globalThis,
  'function inside': () => ({ a: [1, { f() { return 1; } }] }), 'symbol inside': () => [Symbol('in')], 'in a map': () => new Map([[() => {}, 1]]), 'in a set': () => new Set([Symbol('s')]),
  'tagged WeakMap': () => Object.defineProperty(new WeakMap(), Symbol.toStringTag, { value: 'Object' }), method: () => ({ toString() { return 'x'; } }),
};
for (const [label, value] of Object.entries(cannot)) refused(`cannot: ${label}`, value);

// Arguments.
test('no arguments', () => structuredClone());
for (const options of [1, 'x', true, Symbol('s')]) test(`options ${String(options)}`, () => structuredClone(1, options));
for (const options of [null, undefined, {}, [], () => {}, { transfer: null }, { transfer: undefined }, { transfer: [] }, { transfer: new Set() }]) test(`options ${inspect(options)} are fine`, () => structuredClone(1, options));
for (const transfer of [1, 'abc', true, {}, () => {}, { [Symbol.iterator]: 5 }, Symbol('s'), 0, '']) test(`transfer ${inspect(transfer)}`, () => structuredClone(1, { transfer }));
for (const item of [1, null, undefined, {}, [], () => {}, 'x', new Uint8Array(1), new SharedArrayBuffer(1), new Map(), new Date(0)]) test(`transfer of ${inspect(item)}`, () => structuredClone(1, { transfer: [item] }));

// Transferring.
const state = (buffer) => { try { new Uint8Array(buffer); return `attached ${buffer.byteLength}`; } catch { return 'detached'; } };
test('transfer a buffer', () => { const b = bytes().buffer; const c = structuredClone(b, { transfer: [b] }); return [state(b), b.byteLength, show(c)]; });
test('transfer with views', () => { const b = bytes().buffer; const u = new Uint8Array(b, 1, 2); const c = structuredClone({ u, b }, { transfer: [b] }); return [u.length, c.u.buffer === c.b, show(c.u)]; });
test('transfer, not in the value', () => { const b = new ArrayBuffer(4); const c = structuredClone('v', { transfer: [b] }); return [c, state(b)]; });
test('transfer, any iterable', () => { const b = new ArrayBuffer(4); structuredClone(1, { transfer: (function* () { yield b; })() }); return state(b); });
test('transfer several', () => { const [a, b] = [new ArrayBuffer(1), new ArrayBuffer(2)]; const c = structuredClone([b, a], { transfer: [a, b] }); return [state(a), state(b), c[0].byteLength, c[1].byteLength]; });
test('failure leaves the buffer', () => { const b = new ArrayBuffer(4); try { structuredClone({ b, f() {} }, { transfer: [b] }); } catch (error) { return [error.message, state(b)]; } });
test('a getter that throws leaves the buffer', () => { const b = new ArrayBuffer(4); try { structuredClone({ get a() { throw new Error('g'); } }, { transfer: [b] }); } catch (error) { return [error.message, state(b)]; } });
refused('buffer twice', () => { const b = new ArrayBuffer(1); structuredClone(b, { transfer: [b, b] }); });
const detached = () => { const b = new ArrayBuffer(4); structuredClone(1, { transfer: [b] }); return b; };
refused('detached buffer', detached);
refused('view of a detached buffer', () => { const u = new Uint8Array(4); structuredClone(1, { transfer: [u.buffer] }); return u; });
refused('DataView of a detached buffer', () => { const u = new DataView(new ArrayBuffer(4)); structuredClone(1, { transfer: [u.buffer] }); return u; });
test('transfer a detached buffer', () => structuredClone(1, { transfer: [detached()] }));
test('transfer a resizable buffer', () => { const b = new ArrayBuffer(4, { maxByteLength: 8 }); const c = structuredClone(b, { transfer: [b] }); return [state(b), c.byteLength, c.resizable, c.maxByteLength]; });
refused('port', () => new MessageChannel().port1);
test('transfer a port', () => { const { port1 } = new MessageChannel(); const c = structuredClone({ p: port1 }, { transfer: [port1] }); const r = [c.p === port1, c.p.constructor.name]; c.p.close(); return r; });
refused('port twice', () => { const { port1 } = new MessageChannel(); structuredClone(port1, { transfer: [port1, port1] }); });
refused('port given away', () => { const { port1 } = new MessageChannel(); structuredClone(port1, { transfer: [port1] }); structuredClone(port1, { transfer: [port1] }); });
test('failure leaves the port', () => { const { port1 } = new MessageChannel(); try { structuredClone({ f() {} }, { transfer: [port1] }); } catch {} const r = structuredClone(port1, { transfer: [port1] }).constructor.name; return r; });
