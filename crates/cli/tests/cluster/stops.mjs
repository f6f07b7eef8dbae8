// A node that is stopped while it runs a task, and another that comes before: nobody runs the task again.
import { initialize, stop } from 'hemiola:scheduler';
import { hostname } from 'node:os';

process.on('warning', () => {});
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const isOne = hostname() === 'one';
const options = { store: 'postgres://user@database/base', name: 'stops', node: hostname(), lease: 20_000, log: false };
const list = [['a', '* * * * *', async ({ fence, reason }) => {
  console.log('start', fence, reason);
  await wait(3000);
}]];
if (!isOne) await wait(60_500);
await initialize(list, options);
if (isOne) {
  await wait(61_500);
  await stop().then(() => console.log('stopped'), ({ code }) => console.log('stopped', code));
}
