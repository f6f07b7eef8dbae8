// Tasks that are due by the second, and by a nickname.
import { initialize, stop } from 'hemiola:scheduler';

const [store] = process.argv.slice(2);
let count = 0;
const { promise, resolve } = Promise.withResolvers();
const run = (id) => ({ due, reason }) => {
  console.log(id, due.toISOString(), reason);
  count += 1;
  if (count === 7) resolve();
};
setTimeout(async () => {
  await initialize([['every', '7,*/20 * * * * *', run('every')], ['hourly', '@hourly', run('hourly')]], {
    store, node: 'one', log: false, cron: { seconds: true },
  });
  await promise;
  await stop();
}, 3_570_000);
