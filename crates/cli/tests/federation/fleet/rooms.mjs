// Two rooms and a controller that answers each with a delay. Arguments: the member, `maxWait`.
import { join } from 'hemiola:federation';
import { udp } from './udp.mjs';

const [as, maxWait = 'Infinity'] = process.argv.slice(2);
const founders = ['controller', 'kitchen', 'study'];
const others = founders.filter((name) => name !== as);
const wait = { maxWait: Number(maxWait) };
const house = await join('house', {
  as, transport: udp(others), founders,
  inputs: as === 'controller' ? { kitchen: wait, study: wait } : { controller: wait },
  after: as === 'controller' ? 20 : 0,
});
const seen = (...what) => obs(`${house.clock.now()} ${what.join(' ')}`);
const tardy = (topic) => house.tardy(topic, (value, { from, tag }) => obs(`tardy ${from} ${tag.time}+${tag.microstep}`));

if (as === 'controller') {
  house.on('celsius', (celsius, { from, tag }) => {
    seen(from, celsius, tag.microstep);
    house.send('heater', { room: from, on: celsius < 20 });
  });
  tardy('celsius');
} else {
  let celsius = as === 'kitchen' ? 17 : 19;
  let isOn = false;
  house.on('heater', ({ room, on }, { tag }) => {
    if (room !== as) return;
    if (on !== isOn) seen('heater', on, tag.microstep);
    isOn = on;
  });
  tardy('heater');
  house.clock.setInterval(() => {
    celsius += isOn ? 2 : -1;
    seen(celsius);
    house.send('celsius', celsius);
  }, as === 'kitchen' ? 50 : 40).unref();
}
await house.clock.sleep(600);
seen('done');
obs('done');
await house.leave();
