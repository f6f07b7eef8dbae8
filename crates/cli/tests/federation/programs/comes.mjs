// FED-1, FED-5: who comes late hears of what is for a later time than the one at which it comes, and of nothing else. The
// hub sends something for every millisecond, and what it sends is under way for a while.
import { join, memory } from 'hemiola:federation';

const UNDER_WAY_MS = 5;
const slow = {
  async connect(name, hooks) {
    const link = await memory().connect(name, hooks);
    const send = (text) => {
      if (text.includes('"k":"data"')) setTimeout(() => link.send(text), UNDER_WAY_MS);
      else link.send(text);
    };
    return { send, close: () => link.close() };
  },
};
const settings = { period: 50, founders: ['hub'] };
const hub = await join('plant', { as: 'hub', transport: slow, ...settings });
const sends = hub.clock.setInterval(() => hub.send('x', 'tick', { after: 3 }), 1);

for (let times = 0; times < 5; times++) {
  const guest = await join('plant', { as: 'guest', transport: memory(), ...settings, inputs: ['hub'] });
  const begun = guest.clock.now();
  const heard = [];
  await new Promise((resolve) => {
    guest.on('x', (value, { tag }) => {
      heard.push(tag.time - begun);
      if (heard.length === 4) resolve();
    });
  });
  const isWhole = heard.every((time, at) => time > 0 && time === heard[0] + at);
  console.log(`heard everything from then on: ${isWhole}, tardy: ${guest.report().inputs.hub.tardy.count}`);
  await guest.leave();
}
hub.clock.clearInterval(sends);
await hub.leave();
