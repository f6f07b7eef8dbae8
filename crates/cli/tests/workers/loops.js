// How busy the loop of a worker is, as its parent sees it.
'use strict';

const { once } = require('events');
const { setTimeout: sleep } = require('timers/promises');
const { Worker } = require('worker_threads');

const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  parentPort.on('message', (ms) => {
    const until = Date.now() + ms;
    while (Date.now() < until);
    parentPort.postMessage('done');
  });
  parentPort.postMessage('here');
`, { eval: true });
const { eventLoopUtilization: used } = worker.performance;

(async () => {
  console.log(used.name, used.length, used());
  await once(worker, 'message');
  await sleep(20);
  const first = used();
  await sleep(50);
  // It waits all the time, and still does.
  const idle = used(first);
  console.log(idle.idle > 30, idle.active < 20, idle.utilization < 0.5);
  const second = used();
  worker.postMessage(50);
  await once(worker, 'message');
  const third = used();
  const busy = used(third, second);
  console.log(busy.active > 30, busy.utilization > 0.5, third.idle >= second.idle);
  await worker.terminate();
  console.log(used(), used(third));
})();
