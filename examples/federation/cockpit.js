// The cockpit asks for the door to be opened. The door hears it 200 ms later, and so long the ramp camera has time to look.
import { join } from 'hemiola:federation';
import { connect, show } from './transport.js';

const { transport, end } = await connect();
const plane = await join('plane', { as: 'cockpit', transport, founders: ['cockpit', 'camera', 'door'] });
for (const time of [1000, 2000]) {
  plane.clock.setTimeout(() => {
    show(`${plane.clock.now()} opens the door`);
    plane.send('look', null);
    plane.send('open', null, { after: 200 });
  }, time);
}
await plane.clock.sleep(2500);
await plane.leave();
await end();
