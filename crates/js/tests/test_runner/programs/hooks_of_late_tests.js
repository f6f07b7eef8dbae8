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
