// A node with room for one run, which asks for another task while it has none: others have to hear of that.
import { initialize, trigger } from 'hemiola:scheduler';
import { hostname } from 'node:os';

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
process.on('warning', () => {});
await initialize([
  ['a', '* * * * *', async () => {
    await wait(500);
    await trigger('b').catch(() => {});
    await wait(2500);
  }],
  ['b', '0 12 * * *', () => {}],
], { store: 'postgres://user@database/base', name: 'fleet', node: hostname(), lease: 5000, log: false, concurrency: 1 });
