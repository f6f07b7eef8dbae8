// FED-1, FED-4, FED-5, FED-8: who comes late, who is silent, who comes back, who is tardy. The transport loses what it is
// told to lose.
import { join, memory } from 'hemiola:federation';

// Texts of these members are kept back until they are let go, or lost.
const kept = new Map();
function between(as) {
  const inner = memory();
  return {
    async connect(name, hooks) {
      const link = await inner.connect(name, hooks);
      return {
        send(text) {
          const held = kept.get(as);
          if (held === undefined) link.send(text);
          else held.push(() => link.send(text));
        },
        close() { link.close(); },
      };
    },
  };
}
const keepBack = (as) => kept.set(as, []);
function letGo(as) {
  const texts = kept.get(as);
  kept.delete(as);
  texts.forEach((send) => send());
}
const settings = { period: 100, liveness: 500, founders: ['hub', 'ann'] };
const later = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function hub() {
  const plant = await join('plant', {
    as: 'hub', transport: between('hub'), ...settings, inputs: { ann: { maxWait: 300 }, bob: { maxWait: 50 } },
  });
  const said = [];
  const log = (...what) => said.push(what.join(' '));
  plant.on('x', (value, { from }) => log(from, value));
  plant.tardy('x', (value, { from, tag, late, clock }) => log('tardy', from, value, late > 0, clock.time >= tag.time));
  plant.missing((name, { silent }) => log('missing', name, silent > 500));
  return { plant, said, log };
}
const [{ plant, said, log }, ann] = await Promise.all([
  hub(), join('plant', { as: 'ann', transport: between('ann'), ...settings }),
]);

// bob is not there: the clock goes on after its maxWait.
await new Promise((resolve) => { plant.clock.setTimeout(resolve, 100); });
log('bob is there:', plant.report().inputs.bob.present);

// bob comes late, at the present.
const bob = await join('plant', { as: 'bob', transport: between('bob'), period: 100 });
log('bob begins at the present:', bob.clock.now() > 50);
bob.send('x', 'from bob', { after: 200 });
await new Promise((resolve) => { plant.clock.setTimeout(resolve, 400); });

// ann falls silent for longer than its maxWait.
keepBack('ann');
ann.send('x', 'late');
await new Promise((resolve) => { plant.clock.setTimeout(resolve, 400); });
letGo('ann');
await later(100);
log('tardy:', plant.report().inputs.ann.tardy.count, plant.report().inputs.ann.tardy.longest > 0);

// Without a handler it is an error of the program.
const uncaught = new Promise((resolve) => { process.once('uncaughtException', resolve); });
keepBack('ann');
ann.send('y', 'late');
await new Promise((resolve) => { plant.clock.setTimeout(resolve, 400); });
letGo('ann');
const error = await uncaught;
log(error.code, error.message.replace(/\d+\+\d+/g, 'TAG'));

// ann falls silent for good, and is missing.
keepBack('ann');
await later(1000);
log('missing:', plant.report().inputs.ann.missing);
plant.expel('ann');
log('expelled:', plant.report().inputs.ann.expelled);
kept.delete('ann');
ann.send('x', 'not heard');
await later(300);

// A later incarnation is heard again; of the earlier one nothing is.
const count = plant.report().stale;
await ann.leave();
const again = await join('plant', { as: 'ann', transport: between('ann'), ...settings });
log('again, later:', again.clock.now() > 0, 'stale:', count > 0);
again.send('x', 'here again', { after: 100 });
await new Promise((resolve) => { plant.clock.setTimeout(resolve, 300); });
log('expelled:', plant.report().inputs.ann.expelled);

await Promise.all([bob.leave(), again.leave()]);
await later(300);
// Who has left is not waited for.
const { count: waits } = plant.report().inputs.bob.waits;
await new Promise((resolve) => { plant.clock.setTimeout(resolve, 500); });
log('waited for who has left:', plant.report().inputs.bob.waits.count > waits);
await plant.leave();
console.log(said.join('\n'));
