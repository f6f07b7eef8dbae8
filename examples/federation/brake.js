// Brakes when a sensor sees an obstacle. A brake that waits for a sensor that is gone is worse than one that trusts the other:
// it waits for 15 ms at most. What comes too late is looked at all the same, as what it is: late.
import { join } from 'hemiola:federation';
import { connect, show } from './transport.js';

const { transport, end } = await connect();
const maxWait = 15;
const car = await join('car', {
  as: 'brake', transport, founders: ['radar', 'camera', 'brake'], inputs: { radar: { maxWait }, camera: { maxWait } },
});
let isBraking = false;
let tardy = 0;
function look(isThere, by) {
  if (!isThere || isBraking) return;
  isBraking = true;
  show(`brakes for the ${by}, ${car.clock.lag() < 100 ? 'in time' : 'late'}`);
}
car.on('obstacle', (isThere, { from }) => look(isThere, from));
car.tardy('obstacle', (isThere, { from }) => {
  tardy++;
  look(isThere, from);
});
// The clock goes on whether sensors do or not.
car.clock.setInterval(() => {}, 20).unref();
await car.clock.sleep(1500);
const { camera } = car.report().inputs;
show(`${isBraking ? 'braked' : 'did not brake'}, ${tardy === camera.tardy.count + car.report().inputs.radar.tardy.count ? 'all' : 'not all'} that was late was told`);
await car.leave();
await end();
