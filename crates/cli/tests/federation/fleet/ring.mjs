// Three members, each with the others as inputs, without any delay: all wait for all. Arguments: the member, `maxWait`.
import { join } from 'hemiola:federation';
import { udp } from './udp.mjs';

const [as, maxWait = 'Infinity'] = process.argv.slice(2);
const founders = ['a', 'b', 'c'];
const others = founders.filter((name) => name !== as);
const inputs = Object.fromEntries(others.map((name) => [name, { maxWait: Number(maxWait) }]));
const ring = await join('ring', { as, transport: udp(others), founders, inputs });
const seen = (...what) => obs(`${ring.clock.now()} ${what.join(' ')}`);

// A counter goes round, up to three steps without time; all agree on the order.
let state = 7;
ring.on('add', ({ by, hops }, { from, tag }) => {
  state = (state * 31 + by) % 1009;
  seen('add', from, by, hops, tag.microstep, state);
  if (hops > 0 && from !== as) ring.send('add', { by: state % 10, hops: hops - 1 });
});
ring.tardy('add', (value, { from, tag }) => obs(`tardy ${from} ${tag.time}+${tag.microstep}`));
let count = 0;
const timer = ring.clock.setInterval(() => {
  count++;
  ring.send('add', { by: count, hops: count % 4 });
  if (count === 8) ring.clock.clearInterval(timer);
}, { a: 20, b: 20, c: 35 }[as]);
await ring.clock.sleep(400);
seen('done');
obs('done');
await ring.leave();
