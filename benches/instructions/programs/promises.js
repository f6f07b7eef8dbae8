// Async functions that await each other inside the run of an AsyncLocalStorage.
// So many that one collection of garbage more or less is not 3 in 100.
const { AsyncLocalStorage } = require('async_hooks');
const storage = new AsyncLocalStorage();
const leaf = async (value) => value + storage.getStore();
async function sum() {
  let all = 0;
  for (let i = 0; i < 6000; i++) all += await leaf(i);
  return all;
}
storage.run(1, sum).then((all) => console.log(all));
for (let i = 0; i < 6000; i++) storage.run(i, () => storage.getStore());
