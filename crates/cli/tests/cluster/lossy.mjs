// One node whose answers are lost now and then: what it asks for starts all the same, and soon.
import { initialize, trigger } from 'hemiola:scheduler';

process.on('warning', () => {});
let started;
const list = [['a', '0 0 29 2 *', () => started?.()]];
const options = { store: 'postgres://user@database/base', name: 'lossy', lease: 600, log: false };
await initialize(list, options);
let slowest = 0;
for (let round = 0; round < 60; round += 1) {
  const begin = performance.now();
  await new Promise((done) => {
    started = done;
    const ask = () => trigger('a').catch(ask);
    ask();
    setTimeout(done, 10_000);
  });
  slowest = Math.max(slowest, performance.now() - begin);
  await new Promise((done) => { setTimeout(done, 300); });
}
console.log('slowest', Math.round(slowest));
process.exit(0);
