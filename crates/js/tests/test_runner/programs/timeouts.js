// Time limits and signals.
const { test, describe, it } = require('node:test');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
test('in time', { timeout: 1000 }, () => sleep(1));
test('too late', { timeout: 5 }, () => sleep(500));
test('aborts its signal', { timeout: 5 }, async (t) => { t.signal.addEventListener('abort', () => console.log('aborted', t.signal.reason?.name)); await sleep(50); });
describe('suite', { timeout: 20 }, () => { it('a', () => sleep(1)); it('b', () => sleep(500)); it('c', () => {}); });
test('children', { timeout: 20 }, async (t) => { await t.test('child', () => sleep(500)); });
const controller = new AbortController();
test('aborted on the way', { signal: controller.signal }, async () => { setTimeout(() => controller.abort(new Error('enough')), 1); await sleep(500); });
test('hooks late', async (t) => { t.beforeEach(() => sleep(500), { timeout: 5 }); await t.test('child', () => {}); });
const other = new AbortController();
describe('hooks of what was aborted', () => {
  require('node:test').afterEach(() => console.log('afterEach'));
  it('waits', { signal: other.signal }, async (t) => { t.after(() => console.log('after')); setTimeout(() => other.abort(), 1); await sleep(50); });
});
