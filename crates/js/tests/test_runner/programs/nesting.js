// Where tests go that are declared inside others, timeouts, and hooks that fail.
const { test, describe, it } = require('node:test');
test('plan async sub', (t) => { t.plan(1); t.test('s', async () => { await new Promise((r) => setTimeout(r, 5)); }); });
test('outer', () => { test('inner via global', () => {}); });
let saved; test('saves', (t) => { saved = t; }); test('late', () => { saved.test('too late', () => {}); });
describe('async describe', async () => { await null; it('x', () => {}); });
describe('ctx', (s) => { it(s.name, (t) => { t.diagnostic(t.fullName); }); });
test('t.mock resets', (t) => { t.mock.method(Math, 'abs', () => 5); if (Math.abs(1) !== 5) throw 1; });
test('restored', () => { if (Math.abs(1) !== 1) throw new Error('no'); });
test('timeout cb', { timeout: 5 }, (t, done) => { setTimeout(done, 30); });
describe('suite timeout', { timeout: 5 }, () => { it('slow', async () => { await new Promise((r) => setTimeout(r, 30)); }); });
describe('inherits', { concurrency: 2 }, () => { for (let i = 0; i < 3; i++) it('p' + i, async (t) => { await new Promise((r) => setTimeout(r, 10 - i * 3)); }); });
test('hook with done', async (t) => { t.before((c, done) => setImmediate(done)); t.afterEach((c, done) => done(new Error('ae'))); await t.test('q', () => {}); });
test('hook timeout', async (t) => { t.before(() => new Promise((r)=>setTimeout(r,30)), { timeout: 5 }); await t.test('q', () => {}); });
test('t.after fails', (t) => { t.after(() => { throw new Error('af'); }); });
test('signal aborted after', async (t) => { t.signal.addEventListener('abort', () => console.log('ABORT')); });
it('it alias', () => {}); it.skip('x'); describe.skip('y', () => {}); 
const r = [test('ret', () => {}), describe('ret2', () => {}), it('ret3', () => {})]; console.log(r.map((x) => x instanceof Promise)); r[0].then((v) => console.log('V', v)); r[1]?.then?.((v) => console.log('V2', v));
require('node:test').after(() => { throw new Error('root after'); });
