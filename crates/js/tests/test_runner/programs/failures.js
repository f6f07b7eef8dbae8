// Assertions that fail with their differences, and other things that are thrown.
const { test, describe, it } = require('node:test');
const assert = require('node:assert');
test('equal', () => assert.equal(1, 2));
test('strictEqual', () => assert.strictEqual('a\nb\nc', 'a\nx\nc'));
test('deepStrictEqual', () => assert.deepStrictEqual({ a: 1, b: [1, 2, 3], c: new Map([[1, 2]]) }, { a: 1, b: [1, 3], c: new Map([[1, 3]]) }));
test('deepEqual', () => assert.deepEqual([1, [2]], [1, [3]]));
test('notStrictEqual', () => assert.notStrictEqual(1, 1));
test('ok with message', () => assert.ok(0, 'zero is not enough'));
test('throws nothing', () => assert.throws(() => {}));
test('throws another', () => assert.throws(() => { throw new TypeError('x'); }, RangeError));
test('match', () => assert.match('abc', /x/));
test('fail', () => assert.fail('said so'));
test('ifError', () => assert.ifError(new Error('given')));
test('cause', () => { throw new Error('outer', { cause: new Error('inner') }); });
test('aggregate', () => { throw new AggregateError([new Error('one'), new Error('two')], 'many'); });
test('properties', () => { throw Object.assign(new Error('coded'), { code: 'E_CODE', info: { a: [1] } }); });
for (const value of ['text', 5, null, undefined, { a: 1 }, Symbol('s'), 10n, () => {}]) test(`throws ${typeof value}`, () => { throw value; });
class Special extends Error { constructor() { super('special'); this.name = 'Special'; } }
test('subclass', () => { throw new Special(); });
test('multi-line message', () => { throw new Error('one\n  two\n\nthree'); });
test('no message', () => { throw new Error(); });
describe('suite that throws', () => { it('seen', () => {}); throw new Error('in the suite'); });
describe('suite with # and \\ in its name', () => { it('a # b \\ c', () => {}); it('todo # x', { todo: 'because # of' }, () => { throw new Error('todo'); }); it('skip', { skip: 'why \\ not' }, () => {}); });
