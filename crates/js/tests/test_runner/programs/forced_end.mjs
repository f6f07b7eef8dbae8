// flags: --test-force-exit
// The program ends with the last test that is known, after the hooks, though a timer would keep it alive.
import { after, describe, it, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

process.on('beforeExit', () => console.log('never has nothing to do'));
process.on('exit', (code) => console.log('exit', code));
after(async () => {
  await pause(20);
  console.log('after all of them');
});
setInterval(() => {}, 1000);

describe('a suite', () => {
  it('waits', async () => { await pause(20); });
  it('fails', () => { throw new Error('on purpose'); });
});
test('calls back', (t, done) => setImmediate(done));
test('has others in it', async (t) => {
  await t.test('one', () => {});
  setTimeout(() => console.log('later'), 500);
});
await test('is waited for', () => {});
await test('comes right after that', () => {});
await pause(500);
test('comes too late', () => {});
