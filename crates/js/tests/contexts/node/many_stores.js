// Many stores in one context: entered, run within each other, left, and turned off.
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');

const stores = Array.from({ length: 300 }, () => new AsyncLocalStorage());
const values = () => stores.map((store) => store.getStore());
const digest = (list) => list.reduce((sum, value, at) => (sum * 31 + at * (value ?? 7)) % 1000003, 1);
const within = (body) => new AsyncResource('test').runInAsyncScope(body);

within(() => {
  for (const [at, store] of stores.entries()) store.enterWith(at);
  console.log('entered', digest(values()), stores[0].getStore(), stores[299].getStore());
  for (const store of stores) store.enterWith(store.getStore() + 1);
  console.log('entered again', digest(values()));
  stores[5].run('five', () => {
    console.log('run', stores[5].getStore(), stores[6].getStore());
    stores[7].enterWith('kept');
    stores[5].enterWith('not kept');
  });
  console.log('after', stores[5].getStore(), stores[7].getStore());
  stores[9].exit(() => console.log('exit', stores[9].getStore(), stores[10].getStore()));
  console.log('after exit', stores[9].getStore());
  try {
    stores[11].run('eleven', () => { throw new Error(`thrown with ${stores[11].getStore()}`); });
  } catch (error) {
    console.log(error.message, stores[11].getStore());
  }
  stores[12].disable();
  console.log('off', stores[12].getStore(), stores[13].getStore());
  stores[12].run('on', () => console.log('on', stores[12].getStore()));
  stores[14].run(undefined, () => console.log('undefined', stores[14].getStore()));
  Promise.resolve().then(() => console.log('job', digest(values().map((value) => (typeof value === 'number' ? value : 3)))));
  setTimeout(() => console.log('timer', stores[7].getStore(), stores[299].getStore()), 1);
  const bound = AsyncResource.bind(() => stores[299].getStore());
  stores[299].run('other', () => console.log('bound', bound(), stores[299].getStore()));
});
console.log('outside', values().every((value) => value === undefined));

const nested = (at) => (at === stores.length ? digest(values()) : stores[at].run(at * 3, nested, at + 1));
console.log('nested', nested(0), values().every((value) => value === undefined));

(async () => {
  for (const [at, store] of stores.entries()) {
    store.enterWith(at);
    if (at % 50 === 0) await null;
  }
  console.log('awaited', digest(values()));
})();
