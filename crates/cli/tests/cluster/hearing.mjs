// A node that asks several things at a time: its questions overtake each other, and answers are lost.
import { initialize, trigger } from 'hemiola:scheduler';

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
process.on('warning', () => {});
const ids = ['a', 'b', 'c'];
const list = ids.map((id, at) => [id, '0 0 29 2 *', () => wait(150 * at)]);
await initialize(list, { store: 'postgres://user@database/base', name: 'hearing', lease: 5000, log: false });
for (const id of ids) setInterval(() => { trigger(id).catch(() => {}); }, 700);
