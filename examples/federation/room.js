// A room with a sensor and a heater: hemiola run room.js NAME CELSIUS. It measures every 100 ms.
import { join } from 'hemiola:federation';
import { connect, show } from './transport.js';

const [name, start] = process.argv.slice(2);
let celsius = Number(start);
let isHeated = false;

const { transport, end } = await connect();
const house = await join('house', { as: name, transport, founders: ['kitchen', 'bath', 'control'], inputs: ['control'] });
house.on('heater', ({ room, on }) => {
  if (room !== name || on === isHeated) return;
  isHeated = on;
  show(`${house.clock.now()} heater ${on ? 'on' : 'off'} at ${celsius.toFixed(1)}`);
});
for await (const time of house.clock.ticks(100)) {
  celsius += isHeated ? 0.3 : -0.2;
  house.send('celsius', Math.round(celsius * 10) / 10);
  if (time >= 3000) break;
}
show(`${house.clock.now()} over at ${celsius.toFixed(1)}`);
await house.leave();
await end();
