// The ramp camera looks whether there is a ramp. If there is, the slide must be disarmed before the door opens. Looking takes
// long, and so does the way to the door; what counts is the logical instant.
import { join } from 'hemiola:federation';
import { connect, show } from './transport.js';

const { transport, end } = await connect();
const plane = await join('plane', {
  as: 'camera', transport, founders: ['cockpit', 'camera', 'door'], inputs: ['cockpit'], after: 100,
});
plane.on('look', () => {
  // At 1000 the ramp is there, at 2000 it is gone.
  const isRampThere = plane.clock.now() < 2000;
  show(`${plane.clock.now()} ramp ${isRampThere ? 'is there' : 'is gone'}`);
  plane.send(isRampThere ? 'disarm' : 'arm', null);
});
await plane.clock.sleep(2500);
await plane.leave();
await end();
