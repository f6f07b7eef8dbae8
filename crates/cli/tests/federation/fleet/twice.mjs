// Two members of one name, on two hosts. Arguments: the other host, and after how many milliseconds it joins.
import { join } from 'hemiola:federation';
import { udp } from './udp.mjs';

const [other, delay] = process.argv.slice(2);
await new Promise((resolve) => { setTimeout(resolve, Number(delay)); });
try {
  const plant = await join('plant', { as: 'a', transport: udp([other]) });
  obs('joined');
  await new Promise((resolve) => { setTimeout(resolve, 3000); });
  await plant.leave();
} catch (error) {
  obs(error.code);
}
