// FED-6: a member that is always behind says how far it is, and others go on.
import { join, memory } from 'hemiola:federation';
import { spend } from 'hemiola:clock';

const founders = ['busy', 'other'];
const [busy, other] = await Promise.all([
  join('plant', { as: 'busy', transport: memory(), founders }),
  join('plant', { as: 'other', transport: memory(), founders, inputs: ['busy'] }),
]);
let ticks = 0;
let [isBehind, goesOn] = [false, false];
const timer = busy.clock.setInterval(() => {
  spend(15);
  ticks++;
  if (ticks === 30) {
    isBehind = busy.clock.lag() > 50;
    goesOn = other.clock.now() > 200;
    busy.clock.clearInterval(timer);
  }
}, 10);
let count = 0;
const looks = other.clock.setInterval(() => { count++; }, 10);
await other.clock.sleep(400);
other.clock.clearInterval(looks);
console.log(ticks, count >= 39, isBehind, goesOn);
await Promise.all([busy.leave(), other.leave()]);
