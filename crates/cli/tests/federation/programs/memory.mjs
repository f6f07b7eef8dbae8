// FED-2, FED-3, FED-6, FED-7: two sensors and a controller in one program. Whatever comes first, one order.
import { join, memory } from 'hemiola:federation';

const founders = ['left', 'right', 'controller'];

/// Counts the texts with messages.
function counted(transport) {
  const counts = { texts: 0 };
  return {
    counts,
    async connect(federation, hooks) {
      const link = await transport.connect(federation, hooks);
      return {
        close: () => link.close(),
        send(text) {
          const kinds = [JSON.parse(text)].flat().map(({ k }) => k);
          if (kinds.includes('data')) counts.texts++;
          link.send(text);
        },
      };
    },
  };
}

async function sensor(as, period) {
  const transport = counted(memory());
  const plant = await join('plant', { as, transport, founders });
  let count = 0;
  for await (const time of plant.clock.ticks(period)) {
    plant.send('reading', { time, count: ++count });
    // Another of the same action, and one for later.
    plant.send('reading', 'more');
    if (count === 2) plant.send('reading', 'later', { after: 25 });
    if (count === 4) break;
  }
  await plant.clock.sleep(100);
  const { sent, unreadable } = plant.report();
  await plant.leave();
  return [as, sent, unreadable, transport.counts.texts <= 4].join(' ');
}

async function controller() {
  const plant = await join('plant', { as: 'controller', transport: memory(), founders, inputs: { left: {}, right: {} } });
  console.log(plant.name, plant.as, plant.clock.label, plant.clock.unit, plant.clock.now());
  const one = plant.on('reading', (value, { from, tag }) => {
    console.log(`${tag.time}+${tag.microstep}`, from, JSON.stringify(value), plant.clock.now() === tag.time);
    Promise.resolve().then(() => console.log('  tail of', tag.time));
  });
  // Timers come before messages, and all of one tag are one action.
  plant.clock.setTimeout(() => plant.clock.setTimeout(() => console.log('timer at 20+1'), 0), 20);
  const beat = plant.clock.setInterval(() => console.log('every 20:', plant.clock.now()), 20);
  // Nobody sends this.
  plant.on('nothing', () => console.log('never'));
  await plant.clock.sleep(90);
  one.remove();
  plant.clock.clearInterval(beat);
  const { left, right } = plant.report().inputs;
  console.log(left.messages, right.messages, left.tardy.count, left.latency.count, left.waits.count > 0, left.clock.error >= 0);
  await plant.leave();
  return 'controller';
}

console.log((await Promise.all([sensor('left', 10), sensor('right', 20), controller()])).join(', '));
