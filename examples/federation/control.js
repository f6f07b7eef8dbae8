// Keeps two rooms at 20 degrees: it hears of both at the same logical instant, whoever's message comes first, and answers
// 20 ms later.
import { join } from 'hemiola:federation';
import { EVERY, pace, TIMES } from './pace.js';
import { connect, show } from './transport.js';

const { transport, end } = await connect();
const house = await join('house', {
  as: 'control', transport, founders: ['kitchen', 'bath', 'control'], inputs: ['kitchen', 'bath'], after: 20, ...pace,
});
const rooms = {};
let isAsked = false;
house.on('celsius', (celsius, { from, tag }) => {
  rooms[from] = celsius;
  if (tag.time % (EVERY * 10) === 0) show(`${tag.time} ${from} ${celsius}`);
  if (isAsked) return;
  isAsked = true;
  // When both were heard, in the next action of the same instant. Never both heaters at once: the fuse would blow.
  house.clock.setTimeout(() => {
    isAsked = false;
    const kitchen = rooms.kitchen < 20;
    house.send('heater', { room: 'kitchen', on: kitchen });
    house.send('heater', { room: 'bath', on: rooms.bath < 20 && !kitchen });
  }, 0);
});
house.missing((room) => show(`${room} is missing`));
await house.clock.sleep(EVERY * TIMES + 50);
show(`${house.clock.now()} over`);
await house.leave();
await end();
