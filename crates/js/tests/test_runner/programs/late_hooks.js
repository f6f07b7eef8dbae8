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
