// packages: uvu@0.5.6
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

// How long it takes is printed, too.
process.hrtime = () => [0, 0];
const sums = suite('sums');
sums.before(() => console.log('before'));
sums('adds', () => assert.is(1 + 1, 2));
sums('waits', async () => { await null; assert.equal([1, { a: 2 }], [1, { a: 2 }]); });
sums.skip('skipped', () => {});
sums('throws', () => assert.throws(() => { throw new Error('x'); }, /x/));
sums.run();
