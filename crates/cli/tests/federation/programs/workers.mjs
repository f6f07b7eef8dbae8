// Members in workers: FED-7 across threads.
import { Worker, isMainThread, workerData } from 'node:worker_threads';
import { join, memory } from 'hemiola:federation';

const founders = ['main', 'one', 'two'];
const as = isMainThread ? 'main' : workerData;
const workers = isMainThread ? ['one', 'two'].map((name) => new Worker(new URL(import.meta.url), { workerData: name })) : [];
const ended = workers.map((worker) => new Promise((resolve) => { worker.once('exit', resolve); }));
const plant = await join('plant', { as, transport: memory(), founders, inputs: isMainThread ? ['one', 'two'] : ['main'] });
if (isMainThread) {
  plant.on('answer', (value, { from, tag }) => console.log(from, value, `${tag.time}+${tag.microstep}`));
  plant.clock.setInterval(() => plant.send('question', plant.clock.now()), 10).unref();
} else {
  plant.on('question', (value) => {
    plant.send('answer', value * 2);
    plant.send('answer', value * 3, { after: 5 });
  });
}
await plant.clock.sleep(45);
await plant.leave();
if (isMainThread) {
  await Promise.all(ended);
  console.log('over');
}
