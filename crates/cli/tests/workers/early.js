// Messages to a thread that has just been started, that fails to take them, or that has no time.
'use strict';
const { Worker, isMainThread, postMessageToThread, workerData } = require('worker_threads');

async function tell(title, worker, ...more) {
  try {
    await postMessageToThread(worker.threadId, title, ...more);
    console.log(title, 'heard');
  } catch ({ code }) {
    console.log(title, code);
  }
}

async function main() {
  for (const kind of ['listens', 'throws', 'is deaf']) {
    const worker = new Worker(__filename, { workerData: { kind } });
    await tell(kind, worker);
    worker.postMessage('end');
    await new Promise((resolve) => worker.on('exit', resolve));
    await tell('is over', { threadId: 1000 });
  }
  const memory = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(__filename, { workerData: { kind: 'is busy', memory } });
  await tell('is busy', worker, 50);
  Atomics.store(memory, 0, 1);
  Atomics.notify(memory, 0);
}

if (isMainThread) {
  main();
} else {
  const { kind, memory } = workerData;
  if (kind === 'listens') process.on('workerMessage', (message, source) => { if (message !== kind || source !== 0) throw new Error('another one'); });
  if (kind === 'throws') process.on('workerMessage', () => { throw new Error('no'); });
  if (kind === 'is busy') Atomics.wait(memory, 0, 0);
  else require('worker_threads').parentPort.once('message', () => {});
}
