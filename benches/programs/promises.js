// Promises of every kind: `then`, `await`, calls of async functions, `Promise.all`. The first argument says
// who follows them: nobody (plain), an AsyncLocalStorage (storage), a hook that counts all events or new
// resources only (hooks, init), hemiola:context (chains), or a task with a level (levels).
const mode = process.argv[2] ?? 'plain';
let told = 0;
if (mode === 'hooks') {
  const count = () => { told += 1; };
  require('async_hooks').createHook({ init: count, before: count, after: count, promiseResolve: count }).enable();
} else if (mode === 'init') {
  require('async_hooks').createHook({ init() { told += 1; } }).enable();
} else if (mode === 'chains') {
  require('hemiola:context');
}

const COUNT = 50_000;
async function leaf(value) { return value + 1; }
async function node(value) { return (await leaf(value)) + (await leaf(value)); }
async function main() {
  let sum = 0;
  for (let i = 0; i < COUNT / 10; i++) sum += await node(i);
  for (let i = 0; i < COUNT / 10; i++) {
    const all = await Promise.all([leaf(i), leaf(i), Promise.resolve(i).then((value) => value + 1)]);
    sum += all.length;
  }
  let promise = Promise.resolve(0);
  for (let i = 0; i < COUNT; i++) promise = promise.then((value) => value + 1);
  sum += await promise;
  for (let i = 0; i < COUNT; i++) sum += await i;
  return sum;
}
const work = () => main().then((sum) => console.log(JSON.stringify({ sum, told })));
if (mode === 'storage') new (require('async_hooks').AsyncLocalStorage)().run({}, work);
else if (mode === 'levels') require('hemiola:tasks').runTask(work, 'high');
else work();
