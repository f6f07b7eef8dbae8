// Who waits for a word of memory by a promise goes on meanwhile, and keeps nothing alive.
const { Worker, isMainThread, workerData } = require('worker_threads');
if (isMainThread) {
  const words = new Int32Array(new SharedArrayBuffer(32));
  const wide = new BigInt64Array(new SharedArrayBuffer(8));
  console.log(Atomics.waitAsync.length, Atomics.waitAsync(words, 0, 1), Atomics.waitAsync(words, 0, 0, 0), Atomics.waitAsync(wide, 0, 1n));
  for (const wrong of [() => Atomics.waitAsync(new Int32Array(4), 0, 0), () => Atomics.waitAsync([], 0, 0), () => Atomics.waitAsync(words, 9, 0), () => Atomics.waitAsync(wide, 0, 0)]) {
    try { console.log(wrong()); } catch (error) { console.log(error.name, error.message); }
  }
  const said = (name) => (how) => console.log(name, how);
  // Nobody wakes this one.
  Atomics.waitAsync(words, 7, 0).value.then(said('never'));
  const first = Atomics.waitAsync(words, 1, 0);
  console.log(first);
  first.value.then(said('first'));
  Atomics.waitAsync(words, 1, 0).value.then(said('second'));
  console.log(Atomics.notify(words, 1, 1), Atomics.notify(words, 1), Atomics.notify(words, 1));
  setTimeout(() => {
    const timer = setTimeout(() => {}, 60_000);
    Atomics.waitAsync(words, 2, 0, 5).value.then((how) => {
      said('limited')(how);
      console.log('woken', Atomics.notify(words, 2));
      // The worker wakes this one, and sleeps until it is woken in turn.
      Atomics.waitAsync(words, 3, 0, 50_000).value.then((also) => {
        said('by the worker')(also);
        Atomics.store(words, 4, 1);
        Atomics.notify(words, 4);
      });
      new Worker(__filename, { workerData: words }).on('exit', (code) => {
        console.log('exit', code);
        clearTimeout(timer);
      });
    });
  }, 1);
} else {
  while (Atomics.notify(workerData, 3) === 0) ;
  console.log('worker', Atomics.wait(workerData, 4, 0) === 'timed-out');
  Atomics.waitAsync(workerData, 5, 0).value.then(() => console.log('never'));
}
