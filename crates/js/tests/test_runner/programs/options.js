// Options: only, concurrency, signals, and values that are refused.
const { test, it, describe } = require('node:test');
test.only('only1', () => {}); test('not only', () => {}); describe.only('so', () => { it('a', () => {}); it.only('b', () => {}); });
test('conc', { concurrency: 2 }, async (t) => { const p = []; for (let i = 0; i < 4; i++) p.push(t.test('c' + i, async () => { await new Promise((r) => setTimeout(r, 20 - 4 * i)); })); await Promise.all(p); });
describe('dc', { concurrency: true }, () => { it('a', async () => { await new Promise((r) => setTimeout(r, 20)); }); it('b', async () => {}); });
const ac = new AbortController(); test('abort', { signal: ac.signal }, async () => { await new Promise((r) => setTimeout(r, 50)); }); 
test('aborted', { signal: AbortSignal.abort() }, () => {});
test('aborted reason', { signal: AbortSignal.abort(new Error('my')) }, () => {});
setTimeout(() => ac.abort(), 60);
test('signal', (t) => { t.diagnostic(String(t.signal.aborted)); });
test('runOnly', async (t) => { t.runOnly(true); await t.test('x', () => { throw 1; }); await t.test('y', { only: true }, () => {}); });
for (const o of [{ timeout: 'x' }, { concurrency: 'x' }, { concurrency: -1 }, { signal: 5 }, { timeout: -1 }, {skip: 1},{only:5},{todo:0}]) { try { test('opt', o, () => {}); } catch (e) { console.log(e.name, e.code, e.message); } }
