// FED-1: the clock of a federation is a labelled clock, which the federation holds.
import { join, memory } from 'hemiola:federation';
import { clock, spend } from 'hemiola:clock';
import { AsyncLocalStorage } from 'node:async_hooks';

const plant = await join('plant', { as: 'alone', transport: memory() });
const { clock: mine } = plant;
const log = (...what) => console.log(mine.now(), ...what);
log('joined', currentTime('plant/alone'));
// The same clock by its label, and by the third argument.
const same = clock('plant/alone');
same.setTimeout(() => log('by label', same.now(), same.unit), 10);
setTimeout((label) => log('third argument', label, currentTime(label)), 10, 'plant/alone');
const cleared = mine.setTimeout(() => log('never'), 10);
clearTimeout(cleared);
mine.setTimeout(() => mine.clearTimeout(second), 10);
const second = mine.setTimeout(() => log('never'), 10);
mine.setTimeout((a, b) => log('arguments', a, b), 10.9, 1, 2);
// What throws does not end its action.
process.once('uncaughtException', (error) => log('uncaught', error.message));
mine.setTimeout(() => { throw new Error('mine'); }, 10);
mine.setTimeout(() => log('after it'), 10);
const store = new AsyncLocalStorage();
store.run('kept', () => mine.setTimeout(() => log('context', store.getStore()), 10));
await mine.sleep(10);
log('slept', store.getStore());

let count = 0;
const interval = mine.setInterval(() => {
  log('interval', ++count);
  if (count === 3) clearInterval(interval);
}, 5);
await mine.sleep(40);

// A timer that begins anew, before it has fired, while it does, and after.
let fired = 0;
const anew = mine.setTimeout(() => {
  log('anew', ++fired);
  if (fired === 1) anew.refresh();
}, 10);
await mine.sleep(5);
anew.refresh();
await mine.sleep(30);
anew.refresh();
await mine.sleep(30);
anew.refresh();
anew.close();

// Late, and told so.
const late = mine.deadline(5, (lag) => log('late', lag >= 20));
mine.setTimeout(() => spend(30), 5);
await mine.sleep(10);
late.remove();
log(mine.lag() >= 0, mine.policy());
for (const wrong of [() => mine.policy('skip'), () => mine.setTimeout(() => {}, Infinity), () => mine.setTimeout(1)]) {
  try { wrong(); } catch (error) { log(error.code); }
}
const ticks = [];
for await (const time of mine.ticks(7)) if (ticks.push(time - mine.now()) === 3) break;
log('ticks', ticks.join());
const controller = new AbortController();
const aborted = mine.sleep(1000, { signal: controller.signal }).catch((error) => log(error.name));
controller.abort();
await aborted;
mine.setTimeout(() => log('never: it has left'), 5);
await plant.leave();
// The label is free again.
setTimeout(() => console.log('over'), 1, 'plant/alone');
