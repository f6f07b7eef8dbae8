// Messages of a worker: one there and back after the other, and many one way. Times are per round trip and per message.
const { Worker } = require('worker_threads');

const TRIPS = 5_000;
const MANY = 50_000;
const source = `
  const { parentPort } = require('worker_threads');
  parentPort.on('message', (message) => {
    if (message.many === undefined) parentPort.postMessage(message);
    for (let i = 0; i < message.many; i++) parentPort.postMessage({ i, text: 'hello' });
  });
`;

const worker = new Worker(source, { eval: true });
const next = () => new Promise((resolve) => worker.once('message', resolve));

async function roundTrips() {
  for (let i = 0; i < TRIPS; i++) {
    worker.postMessage({ i, text: 'hello' });
    if ((await next()).i !== i) throw new Error(`${i}`);
  }
  return TRIPS;
}

function oneWay() {
  return new Promise((resolve) => {
    let count = 0;
    worker.on('message', function listener() {
      if (++count < MANY) return;
      worker.off('message', listener);
      resolve(MANY);
    });
    worker.postMessage({ many: MANY });
  });
}

(async () => {
  // The worker has begun, and both sides have sent something.
  worker.postMessage({});
  await next();
  const times = {};
  for (const [name, run] of Object.entries({ 'round trip': roundTrips, 'one way': oneWay })) {
    const start = performance.now();
    const ops = await run();
    times[name] = { ms: performance.now() - start, ops };
  }
  console.log(JSON.stringify(times));
  worker.terminate();
})();
