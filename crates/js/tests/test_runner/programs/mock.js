// mock.fn, mock.method and their relatives; what they see is printed.
const { test, mock } = require('node:test');
const attempt = (f) => { try { return String(f()); } catch (error) { return `${error.name} ${error.code} ${error.message}`; } };
const calls = (f) => JSON.stringify(f.mock.calls.map(({ stack, target, ...rest }) => [rest, stack instanceof Error, typeof target]));
class C { constructor(v) { this.v = v; } m() { return this.v; } get q() { return 1; } set q(x) { this.w = x; } static s() { return 's'; } }
const log = (...args) => console.log(args.map(String).join(' | '));

const f = mock.fn((a, b) => a + b); f(1, 2); f.call({ x: 1 }, 3, 4);
log(calls(f), f.mock.callCount(), f.name, f.length, Object.getOwnPropertyNames(Object.getPrototypeOf(f.mock)));
const g = mock.fn(() => { throw new Error('x'); }); attempt(() => g());
log(g.mock.calls[0].error.message, g.mock.calls[0].result, Object.keys(g.mock.calls[0]));
const K = mock.fn(C); const k = new K(5);
log(k instanceof C, k.v, K.mock.calls[0].target === C, K.mock.calls[0].this === k, K.mock.calls[0].result === k);
const o = new C(7); const m = mock.method(o, 'm');
log(o.m(), m === o.m, o.m.mock.calls.length, Object.getOwnPropertyDescriptor(o, 'm').enumerable);
o.m.mock.mockImplementation(() => 9); log(o.m());
o.m.mock.mockImplementationOnce(() => 10); log(o.m(), o.m());
o.m.mock.mockImplementationOnce(() => 11, 5); log(o.m(), o.m(), o.m.mock.callCount(), attempt(() => o.m.mock.mockImplementationOnce(() => 1, 0)));
o.m.mock.resetCalls(); log(o.m.mock.callCount());
m.mock.restore(); log(o.m(), typeof o.m.mock);
const gq = mock.getter(o, 'q', () => 42); log(o.q, gq.mock.callCount()); mock.restoreAll(); log(o.q);
const sq = mock.setter(o, 'q', function (v) { this.zz = v; }); o.q = 5; log(o.zz, o.w, sq.mock.callCount(), calls(sq)); mock.reset(); o.q = 6; log(o.w);
const t2 = mock.fn(() => 'orig', () => 'impl', { times: 2 }); log(t2(), t2(), t2(), t2.mock.callCount());
log(mock.fn()(), mock.fn({ times: 1 })(), mock.fn(() => 1, { times: 1 })());
for (const args of [[5], [() => {}, 5], [() => {}, () => {}, 5], [() => {}, () => {}, { times: 0 }], [() => {}, () => {}, { times: 'x' }], [null], [() => {}, null]]) log(attempt(() => typeof mock.fn(...args)));
for (const args of [[], [5, 'x'], [{}, 'x'], [{ x: 1 }, 'x'], [{ x() {} }, 5], [{ x() {} }, 'x', 5], [{ x() {} }, 'x', { getter: 5 }], [{ x() {} }, 'x', { getter: true, setter: true }], [{ x() {} }, 'x', { times: -1 }],
  [{ get x() { return 1; } }, 'x'], [{ x: 1 }, 'x', { getter: true }], [C, 's'], [null, 'x']]) log(attempt(() => typeof mock.method(...args)));
log(attempt(() => mock.getter({ get x() { return 1; } }, 'x', { getter: false })), attempt(() => mock.setter({}, 'x', () => {}, { setter: false })), attempt(() => mock.getter({}, 'x', () => {}, { setter: true })));
log(attempt(() => f.mock.mockImplementation(5)), attempt(() => f.mock.mockImplementationOnce(5)), attempt(() => f.mock.mockImplementationOnce(() => {}, 'x')));
f.mock.calls.push(1); log(f.mock.calls.length);
const h = mock.fn(function named(a) { return a; }); log(h.name, h.length, 'mock' in h, Object.keys(h).length);
const asynchronous = mock.fn(async () => 1); asynchronous(); log(asynchronous.mock.calls[0].result instanceof Promise);
const obj2 = { fn() { return 1; } }; mock.method(obj2, 'fn', function () { return 2; }, { times: 1 }); log(obj2.fn(), obj2.fn());
const s = Symbol('s'); const obj3 = { [s]() { return 1; } }; mock.method(obj3, s, () => 2); log(obj3[s]());
const inherited = new C(3); mock.method(C.prototype, 'm', () => 'proto'); log(inherited.m()); mock.reset(); log(inherited.m());
test('a test has mocks of its own', (t) => { const p = t.mock.method(Math, 'abs', () => 5); log(Math.abs(1), p.mock.callCount()); });
test('which end with it', () => log(Math.abs(1)));
