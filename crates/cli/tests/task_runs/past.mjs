// What is known of runs that have ended, also when the scheduler has stopped, and no more than is to be kept; and
// expressions that have to be asked for.
import { history, initialize, stop, trigger } from 'hemiola:scheduler';

const [store] = process.argv.slice(2);
let { promise, resolve } = Promise.withResolvers();
const on = ({ what }) => { if (what === 'success') resolve(); };
const options = { store, node: 'one', labels: ['gpu'], on, log: false };
for (const cron of ['@daily', '*/10 * * * * *', '*/10 * * * * * *']) {
  try {
    await initialize([['a', cron, () => {}]], options);
  } catch ({ code, message }) {
    console.log(code, message);
  }
}
await initialize([{
  id: 'a', cron: '0 0 29 2 *', zone: 'UTC', retryDelay: 3, where: ['gpu'],
  run({ attempt }) {
    if (attempt === 1) throw new Error('no');
  },
}], options);
await trigger('a');
await promise;
const show = async () => console.log(JSON.stringify((await history('a')).map(({ result, attempt, node, error, due, fence, end }) => [
  result, attempt, node, error ?? null, due ?? null, fence, end instanceof Date,
])));
await show();
await stop();
await show();
await initialize([{ id: 'a', cron: '0 0 29 2 *', zone: 'UTC', where: ['gpu'], run() {} }], { ...options, history: 2 });
for (let n = 0; n < 5; n++) {
  ({ promise, resolve } = Promise.withResolvers());
  await trigger('a');
  await promise;
}
const [first, second, ...others] = await history('a');
console.log(first.result, second.result, first.fence - second.fence, others.length);
console.log((await history('a', 1))[0].fence === first.fence, await history('b'));
await stop();
