// What is refused and by which words, what a worker may not change, and how it ends.
const { MessageChannel, Worker, isMainThread, moveMessagePortToContext, parentPort, workerData } = require('worker_threads');

const told = (f) => {
  try {
    f();
    console.log('fine');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

const cases = {
  process() {
    process.title += ' in worker';
    process.debugPort++;
    parentPort.postMessage([process.title.includes('in worker'), process.debugPort, '_debugEnd' in process]);
  },
  stack() {
    Error.prepareStackTrace = () => { throw new Error('no stack'); };
    throw new Error('without one');
  },
  second() {
    process.on('uncaughtException', () => { throw new Error('second'); });
    throw new Error('first');
  },
  none() {
    process._fatalException = undefined;
    throw new Error('nobody is told');
  },
  asked() {
    process.once('uncaughtException', (error) => parentPort.postMessage(error.message));
    parentPort.postMessage(process._fatalException(new Error('asked')));
  },
};

if (isMainThread) {
  process.on('worker', (worker) => console.log('a worker', worker.threadId));
  told(() => new Worker('data:text/javascript,'));
  told(() => new Worker('file:///nowhere'));
  told(() => new Worker('', { eval: true, env: { NODE_OPTIONS: '--nonexistent-options' } }));
  told(() => new MessageEvent('message', { ports: 0 }));
  const { port1, port2 } = new MessageChannel();
  told(() => port1.postMessage(1, { transfer: { [Symbol.iterator]: () => ({ next: 42 }) } }));
  told(() => port1.postMessage(1, { transfer: new Set() }));
  port2.close();
  told(() => moveMessagePortToContext(port2, {}));
  (async () => {
    for (const name of Object.keys(cases)) {
      const worker = new Worker(__filename, { workerData: name });
      worker.on('message', (message) => console.log(name, message));
      worker.on('error', (error) => console.log(name, error.message, typeof error.stack));
      await new Promise((resolve) => worker.on('exit', (code) => resolve(console.log(name, code))));
    }
  })();
} else {
  cases[workerData]();
}
