// What a scheduler of several nodes refuses, each with an error of its own: nothing has changed then.
import { initialize, stop } from 'hemiola:scheduler';

const run = () => {};
const attempt = async (label, list, options) => {
  try {
    await initialize(list, { log: false, ...options });
    console.log(label, 'joined');
    await stop();
  } catch ({ code, message }) {
    console.log(label, code, message.replace(/node \S+:/, 'node N:'));
  }
};
const store = 'postgres://user:secret@db/base';
const list = [['a', '* * * * *', run]];
const other = [['b', '* * * * *', run]];
const wants = (where) => [{ id: 'a', cron: '* * * * *', run, where }];
await attempt('port', list, { store: 'postgres://user@db:99999/base' });
await attempt('sslmode', list, { store: `${store}?sslmode=maybe` });
await attempt('parameter', list, { store: `${store}?nonsense=1` });
await attempt('lease', list, { store, lease: 5 });
await attempt('first list', list, { store, generation: 7 });
await attempt('other list', other, { store, generation: 7 });
await attempt('older list', other, { store, generation: 6 });
await attempt('other name', other, { store, name: 'other', generation: 7 });
await attempt('where', wants('gpu'), { store });
await attempt('nobody', wants(['gpu']), { store: 'tasks.db' });
await attempt('labels', wants(['gpu']), { store: 'tasks.db', labels: ['gpu'] });
