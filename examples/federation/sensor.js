// A sensor of obstacles: hemiola run sensor.js NAME FROM. From the instant FROM on it sees one; it measures every 20 ms.
import { join } from 'hemiola:federation';
import { connect } from './transport.js';

const [name, from] = process.argv.slice(2);
const { transport, end } = await connect();
const car = await join('car', { as: name, transport, founders: ['radar', 'camera', 'brake'] });
for await (const time of car.clock.ticks(20)) {
  car.send('obstacle', time >= Number(from));
  if (time === 1500) break;
}
await car.leave();
await end();
