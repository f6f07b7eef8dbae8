// Errors that nobody caught, callbacks called twice, and tests that never end.
const { test, it, describe } = require('node:test');
test('throws later', async () => { setTimeout(() => { throw new Error('uncaught later'); }, 5); await new Promise((r) => setTimeout(r, 30)); });
test('slow', async () => { await new Promise((r) => setTimeout(r, 30)); });
test('done twice', (t, done) => { done(); done(); });
test('done with a falsy value', (t, done) => { done(null); });
test('done with a string', (t, done) => { done('no'); });
describe('a suite with a test that throws later', () => {
  it('fails', async () => { setImmediate(() => { throw new TypeError('from immediate'); }); await new Promise((r) => setTimeout(r, 5)); });
  it('goes on', () => {});
});
test('never', () => new Promise(() => {}));
test('after never', () => {});
describe('suite after never', () => { it('not run', () => {}); });
