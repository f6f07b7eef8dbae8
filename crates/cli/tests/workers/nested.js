// Workers of workers, many at a time; what ends with whom; who keeps whom alive.
const { Worker, isMainThread, workerData, parentPort, threadId } = require('worker_threads');
if (isMainThread) {
  const results = [];
  let left = 6;
  for (let i = 0; i < 6; ++i) {
    const worker = new Worker(__filename, { workerData: { depth: 2, i } });
    worker.on('message', (message) => results.push(message));
    worker.on('exit', () => {
      if (--left === 0) {
        console.log(results.sort((a, b) => a.i - b.i));
        lonely();
      }
    });
  }
} else if (workerData === 'forever') {
  new Worker('setInterval(() => {}, 1000)', { eval: true });
  setInterval(() => {}, 1000);
  parentPort.postMessage('started');
} else {
  const { depth, i } = workerData;
  if (depth === 0) {
    let sum = 0;
    for (let n = 0; n <= 1000 + i; ++n) sum += n;
    parentPort.postMessage({ i, sum });
  } else {
    const child = new Worker(__filename, { workerData: { depth: depth - 1, i } });
    child.on('message', (message) => parentPort.postMessage({ ...message, path: `${depth}${message.path ?? ''}` }));
  }
}

function lonely() {
  const worker = new Worker(__filename, { workerData: 'forever' });
  worker.on('message', async () => {
    console.log('stopped with', await worker.terminate());
    const unwatched = new Worker('setInterval(() => {}, 1000)', { eval: true });
    unwatched.on('online', () => {
      unwatched.unref();
      console.log('nothing keeps this program');
    });
    unwatched.on('exit', () => console.log('never told'));
  });
}
