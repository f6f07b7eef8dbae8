// What it costs to carry a context: entering one, awaiting inside one, and awaiting while a hook listens.
const { AsyncLocalStorage, createHook } = require('async_hooks');

const COUNT = 3e5;
const storage = new AsyncLocalStorage();
const store = { request: 1 };
let seen = 0;
const look = () => { if (storage.getStore() === store) seen += 1; };

function entering() {
  const start = performance.now();
  for (let i = 0; i < COUNT; i++) storage.run(store, look);
  return { ms: performance.now() - start, ops: COUNT };
}

async function awaiting() {
  const start = performance.now();
  for (let i = 0; i < COUNT; i++) await undefined;
  return { ms: performance.now() - start, ops: COUNT };
}

async function heard() {
  const nothing = () => {};
  const hook = createHook({ init: nothing, before: nothing, after: nothing, destroy: nothing }).enable();
  const result = await awaiting();
  hook.disable();
  return result;
}

(async () => {
  const results = { 'AsyncLocalStorage.run': entering() };
  if (seen !== COUNT) throw new Error('a store was lost');
  results['await inside a run'] = await storage.run(store, awaiting);
  results['await with createHook'] = await heard();
  console.log(JSON.stringify(results));
})();
