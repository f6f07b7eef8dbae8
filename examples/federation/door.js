// The door. An armed slide inflates when the door opens. The message of the cockpit may well arrive first: it waits for the
// camera's, for ever if need be (no maxWait), because opening too late is better than opening wrongly.
import { join } from 'hemiola:federation';
import { connect, show } from './transport.js';

const { transport, end } = await connect();
const plane = await join('plane', {
  as: 'door', transport, founders: ['cockpit', 'camera', 'door'], inputs: ['cockpit', 'camera'],
});
let isArmed = true;
for (const [topic, armed] of [['arm', true], ['disarm', false]]) {
  plane.on(topic, () => {
    isArmed = armed;
    show(`${plane.clock.now()} ${topic}ed`);
  });
}
plane.on('open', () => show(`${plane.clock.now()} ${isArmed ? 'stays shut: the slide is armed' : 'opens'}`));
await plane.clock.sleep(2500);
await plane.leave();
await end();
