// A room with a sensor and a heater: hemiola run room.js NAME CELSIUS. It measures as often as pace.js says.
import { join } from 'hemiola:federation';
import { EVERY, pace, TIMES } from './pace.js';
import { connect, show } from './transport.js';

const [name, start] = process.argv.slice(2);
let celsius = Number(start);
let isHeated = false;

const { transport, end } = await connect();
const house = await join('house', { as: name, transport, founders: ['kitchen', 'bath', 'control'], inputs: ['control'], ...pace });
house.on('heater', ({ room, on }) => {
  if (room !== name || on === isHeated) return;
  isHeated = on;
  show(`${house.clock.now()} heater ${on ? 'on' : 'off'} at ${celsius.toFixed(1)}`);
});
for await (const time of house.clock.ticks(EVERY)) {
  celsius += isHeated ? 0.3 : -0.2;
  house.send('celsius', Math.round(celsius * 10) / 10);
  if (time >= EVERY * TIMES) break;
}
show(`${house.clock.now()} over at ${celsius.toFixed(1)}`);
await house.leave();
await end();
