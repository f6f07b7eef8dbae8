// One of several nodes in a simulated fleet.
import { initialize } from 'hemiola:scheduler';
import { hostname } from 'node:os';

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
await initialize([
  ['a', '* * * * *', async ({ due, fence, reason, signal }) => {
    console.log('started', fence);
    obs({ what: 'start', due: due.getTime(), fence, reason });
    await wait(3000);
    if (!signal.aborted) obs({ what: 'end', fence });
  }],
], {
  store: 'postgres://user@database/base', name: 'fleet', node: hostname(), lease: 5000, log: false,
  on: ({ what, fence }) => {
    if (what === 'success') obs({ what, fence });
  },
});
