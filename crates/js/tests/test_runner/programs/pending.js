// Tests that never settle, alone and below others, with hooks.
const { test, describe, it, after, afterEach } = require('node:test');
const seen = [];
process.on('exit', () => console.log(seen.sort()));
after(() => seen.push('after'));
test('settles', () => {});
describe('suite', () => { afterEach(() => seen.push('afterEach')); it('waits', () => new Promise(() => {})); it('later', () => {}); });
test('callback never called', (t, done) => {});
test('with children', async (t) => { t.after(() => seen.push('t.after')); await t.test('child', () => new Promise(() => {})); });
