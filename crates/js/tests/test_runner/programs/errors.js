// What a report shows of an error, and plans.
const { test, mock } = require('node:test'); const util=require('util');
const e = (f) => { try { return f(); } catch (e) { return [e.name, e.code, e.message]; } };
test('plan', async (t) => { await t.test('ok', (t) => { t.plan(2); t.assert.ok(1); t.assert.strictEqual(1, 1); }); await t.test('bad', (t) => { t.plan(2); t.assert.ok(1); }); await t.test('sub', (t) => { t.plan(1); t.test('s', () => {}); }); await t.test('twice', (t)=>{ t.plan(1); t.plan(1); }); await t.test('badarg', (t)=>{ t.plan('x') }); await t.test('zero', (t)=>{t.plan(0)});await t.test('too many', (t)=>{t.plan(1);t.assert.ok(1);t.assert.ok(1)}); await t.test('passed', async (t)=>{ t.diagnostic(`${t.passed} ${t.error} ${t.fullName}`); t.after(()=>{}); await t.test('deep',(t)=>t.diagnostic(t.fullName)) }); console.log(Object.keys(t.assert).join()); });
test('diag order', (t) => { t.diagnostic('a'); t.diagnostic('b\nc'); });
test('nested fail', async (t) => { await t.test('a', () => { throw new Error('a') }); await t.test('b', () => { throw new Error('b') }); });
test('cause', () => { throw new Error('outer', { cause: new Error('inner') }); });
test('custom err', () => { class My extends Error { constructor() { super('my'); this.code='E_MY'; this.extra=5; this.name='My' } } throw new My(); });
test('deepEqual', () => require('assert').deepStrictEqual({ a: 1, b: [1,2] }, { a: 1, b: [1,3] }));
test('long'+'x'.repeat(100), () => { throw new Error("it's 'quoted' \\ \n  multi\n\n"); });
test('num err', () => { throw 5; });
test('null err', () => { throw null; });
test('sym err', () => { throw Symbol('s'); });
test('date/expected', () => { const e = new Error('x'); e.code='ERR_ASSERTION'; e.expected = [1,{a:'b'}]; e.actual = 'multi\nline'; e.operator='foo'; throw e; });
test('expected map', () => { const e = new Error('x'); e.code='ERR_ASSERTION'; e.expected = undefined; e.actual = null; throw e; });
test('expected nested', () => { const e = new Error('x'); e.code='ERR_ASSERTION'; e.expected = {a:{b:{c:new Date(0),f(){}, r:/x/,s:Symbol('q'), n:1n, e: new Error('q'), em:{}, ea:[], u: undefined}}}; e.actual = new Map([[1,2]]); throw e; });
test('skip true msg', { skip: '' }, () => {}); test('both', { skip: 'a', todo: 'b' }, () => {}); test('todo true fail', { todo: true }, () => { throw new Error('tt'); });
test('skip in body then throw', (t) => { t.skip(); throw new Error('q'); });
