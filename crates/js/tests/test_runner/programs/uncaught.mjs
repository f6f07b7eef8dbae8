// Errors outside of the functions of tests, in an ES module that waits at its top.
import test, { describe, it, before, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
before(() => console.log('before'));
beforeEach(() => console.log('beforeEach'));
await test('awaited', () => {});
console.log('between');
test('rejects later', async () => { Promise.reject(new Error('nobody')); await new Promise((resolve) => setTimeout(resolve, 5)); });
test('throws in a timer', (t, done) => { setTimeout(() => { throw new TypeError('timer'); }, 1); setTimeout(done, 10); });
test('done with an error', (t, done) => done(new Error('told')));
test('done twice', (t, done) => { done(); done(); });
test('both', (t, done) => Promise.resolve());
describe('concurrent', { concurrency: true }, () => {
  for (const ms of [6, 4, 2]) it(`takes ${ms}`, async () => { await new Promise((resolve) => setTimeout(resolve, ms)); assert.notEqual(ms, 4); });
});
