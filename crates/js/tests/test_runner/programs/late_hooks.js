<<<<<<< HEAD
// What hooks begin may fail when they are over: that is said of the hook, and fails no test.
const { after, afterEach, before, beforeEach, test } = require('node:test');

const late = (name) => () => {
  setTimeout(() => { throw new Error(name); }, 50);
};
before(late('before'));
beforeEach(late('beforeEach'));
after(late('after'));
afterEach(late('afterEach'));
test('ok', () => {});
=======
// Hooks that come when all tests so far are over run once those are that come after.
const { test, after } = require('node:test');
const server = require('node:net').createServer();
const log = (...a) => console.log('LOG', ...a);
after(() => log('after all'));
test('early', () => log('early'));
setTimeout(() => server.listen(0, () => {
  after(() => { log('closed'); server.close(); });
  test('late', async () => { await new Promise((resolve) => setTimeout(resolve, 10)); log('late'); });
  test('later', () => log('later'));
}), 50);
>>>>>>> 61f36595 (test: the last hooks run each time all tests are over)
