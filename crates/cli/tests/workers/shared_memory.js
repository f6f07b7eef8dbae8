// Memory that machines share: they count, wait for each other and wake each other.
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
if (isMainThread) {
  const shared = new SharedArrayBuffer(32);
  const words = new Int32Array(shared);
  const workers = [1, 2, 3].map((step) => new Worker(__filename, { workerData: { shared, step, view: new Int32Array(shared, 4, 2) } }));
  let left = workers.length;
  for (const worker of workers) {
    worker.on('exit', () => {
      if (--left > 0) return;
      console.log('count', words[1], 'last', words[0], 'flag', words[2]);
      const wide = new BigInt64Array(new SharedArrayBuffer(8));
      console.log(Atomics.wait(wide, 0, 5n), Atomics.wait(wide, 0, 0n, 1), Atomics.notify(wide, 0));
      console.log(Atomics.wait(words, 0, words[0], 2));
    });
  }
  // Every worker sleeps until it is woken.
  const wake = setInterval(() => {
    if (Atomics.load(words, 3) < 3) return;
    clearInterval(wake);
    Atomics.store(words, 2, 1);
    while (Atomics.load(words, 4) < 3) Atomics.notify(words, 2);
    console.log('all woken');
  }, 1);
} else {
  const { shared, step, view } = workerData;
  const words = new Int32Array(shared);
  for (let i = 0; i < 1000; ++i) Atomics.add(view, 0, step);
  Atomics.add(words, 3, 1);
  const result = Atomics.wait(words, 2, 0);
  if (result !== 'ok' && result !== 'not-equal') throw new Error(result);
  Atomics.add(words, 4, 1);
  Atomics.store(words, 0, 7);
  if (!(view.buffer instanceof SharedArrayBuffer) || view.buffer.byteLength !== 32) throw new Error('not shared');
}
