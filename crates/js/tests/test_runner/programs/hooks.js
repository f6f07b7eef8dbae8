// The order of hooks around tests, subtests and suites.
const { test, it, describe, before, after, beforeEach, afterEach } = require('node:test');
const log = (...a) => console.log('LOG', ...a);
before(() => log('root before')); after(() => log('root after')); beforeEach((c) => log('root beforeEach', c.name)); afterEach((c) => log('root afterEach', c.name));
test('one', async (t) => { t.before(() => log('t.before')); t.after(() => log('t.after')); t.beforeEach((c) => log('t.beforeEach', c.name)); t.afterEach((c) => log('t.afterEach', c.name)); log('body one'); await t.test('sub', async (t2) => { log('sub body'); await t2.test('subsub', () => log('subsub')); }); await t.test('sub2', () => log('sub2')); });
describe('S', () => { log('collect S'); before(() => log('S before')); after(() => log('S after')); beforeEach((c) => log('S beforeEach', c.name)); afterEach((c) => log('S afterEach', c.name)); it('i1', () => log('i1')); describe('T', () => { before(() => log('T before')); beforeEach(() => log('T beforeEach')); afterEach(() => log('T afterEach')); it('i2', (t) => { log('i2'); t.after(() => log('i2 after')); }); after(() => log('T after')); }); it('i3', { skip: true }, () => log('i3')); });
test('last', () => log('last'));
log('main end');
