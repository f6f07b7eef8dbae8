// Two sensors, a filter, a controller: nobody waits for who waits for it. Arguments: the member, `maxWait`.
import { join } from 'hemiola:federation';
import { udp } from './udp.mjs';

const [as, maxWait = 'Infinity'] = process.argv.slice(2);
const founders = ['controller', 'filter', 'left', 'right'];
const others = founders.filter((name) => name !== as);
const wait = { maxWait: Number(maxWait) };
const inputs = {
  left: {}, right: {}, filter: { left: wait, right: wait }, controller: { filter: wait, left: wait },
}[as];
const plant = await join('plant', { as, transport: udp(others), founders, inputs });
const seen = (...what) => obs(`${plant.clock.now()} ${what.join(' ')}`);
const tardy = (topic) => plant.tardy(topic, (value, { from, tag, late }) => obs(`tardy ${from} ${tag.time}+${tag.microstep} ${late > 0 || late === 0}`));

if (as === 'left' || as === 'right') {
  const period = as === 'left' ? 10 : 15;
  let count = 0;
  const timer = plant.clock.setInterval(() => {
    count++;
    seen('tick', count);
    plant.send('reading', count);
    if (count % 3 === 0) plant.send('alarm', count, { after: 7 });
    if (count === 20) plant.clock.clearInterval(timer);
  }, period);
} else if (as === 'filter') {
  let sum = 0;
  plant.on('reading', (value, { from, tag }) => {
    sum += value;
    seen('reading', from, value, tag.microstep);
    if (from === 'right') plant.send('sum', sum);
  });
  plant.on('alarm', (value, { from }) => seen('alarm', from, value));
  plant.clock.setInterval(() => seen('every 30'), 30).unref();
} else {
  for (const topic of ['sum', 'reading', 'alarm']) {
    plant.on(topic, (value, { from, tag }) => {
      seen(topic, from, value, tag.microstep);
      if (topic === 'sum') plant.clock.setTimeout(() => seen('acts'), 5);
    });
  }
}
for (const topic of ['sum', 'reading', 'alarm']) tardy(topic);
await plant.clock.sleep(400);
seen('done');
// What was lost on the way comes later.
if (maxWait !== 'Infinity') await new Promise((resolve) => { setTimeout(resolve, 3000); });
obs('done');
await plant.leave();
