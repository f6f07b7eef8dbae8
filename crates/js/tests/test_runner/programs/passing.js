// A file as people write it.
const { describe, it, before, after, beforeEach } = require('node:test');
const assert = require('node:assert');
describe('Stack', () => {
  let stack;
  beforeEach(() => { stack = []; });
  it('starts empty', () => assert.strictEqual(stack.length, 0));
  it('pushes', () => { stack.push(1); assert.deepStrictEqual(stack, [1]); });
  describe('when full', () => {
    before(async () => { await new Promise((resolve) => setTimeout(resolve, 2)); });
    it('pops', () => { stack.push(1, 2); assert.strictEqual(stack.pop(), 2); });
    it('rejects', async () => { await assert.rejects(Promise.reject(new Error('full')), /full/); });
    after(() => {});
  });
  it('is not done', { todo: true }, () => { assert.ok(false, "not yet"); });
});
describe('Parameters', { concurrency: 3 }, () => {
  for (const n of [3, 1, 2]) it(`waits ${n}`, async (t) => { await new Promise((resolve) => setTimeout(resolve, n * 4)); t.diagnostic(`waited ${n}`); });
});
