// What a callback is given, and what it may return: tasks that start together do not hear of each other.
import { history, initialize, status, stop } from 'hemiola:scheduler';
import { AsyncLocalStorage } from 'node:async_hooks';

const [store] = process.argv.slice(2);
const storage = new AsyncLocalStorage();
const told = [];
const task = (id, act) => ({
  id,
  zone: 'UTC',
  cron: '* * * * *',
  attempts: 1,
  run(...given) {
    // What starts on a node of several starts in one callback.
    const context = store?.startsWith('postgres') ? undefined : storage.getStore();
    console.log(id, 'enters', given.length, this === undefined, context);
    storage.enterWith(id);
    return act(given[0]);
  },
});

await initialize([
  task('keys', (facts) => console.log(Object.keys(facts).join())),
  task('signal', (facts) => {
    const { signal } = { ...facts };
    console.log(signal === facts.signal, signal instanceof AbortSignal, signal.aborted);
  }),
  task('number', () => 7),
  task('nothing', () => { throw undefined; }),
  task('error', () => { throw new Error('no'); }),
  task('promise', async () => {
    const states = () => status();
    const found = await states();
    console.log(found.filter(({ state }) => state === 'running').length > 0);
  }),
  task('thenable', () => ({ then: (resolve, reject) => reject(new Error('later')) })),
  task('function', () => Object.assign(() => {}, { then: (resolve) => resolve() })),
], { store, log: false, node: 'one', on: ({ what, id }) => { if (what !== 'start') told.push(`${id} ${what}`); } });
setTimeout(async () => {
  await stop();
  console.log(told.sort().join('\n'));
  for (const id of ['number', 'nothing', 'thenable']) {
    const [{ result, error, attempt }] = await history(id);
    console.log(id, result, error, attempt);
  }
}, 500);
