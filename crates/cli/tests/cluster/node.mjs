// A node of a cluster that does what standard input says, and says what happens.
import { initialize, stop, trigger, pause, resume, status, history, nodes } from 'hemiola:scheduler';
import { createInterface } from 'node:readline';

const [address, node, options = '{}'] = process.argv.slice(2);
const { list = ['a', 'b', 'c'], cron = '0 0 1 1 *', ...more } = JSON.parse(options);
const say = (...words) => console.log(words.join(' '));
process.on('warning', ({ message }) => say('warning', message));
const holds = new Map();
// Nobody waits for ever for a node that hangs.
setTimeout(() => process.exit(9), 60_000).unref();

async function run({ id, fence, attempt, reason, signal }) {
  say('enter', id, fence, reason, attempt);
  signal.addEventListener('abort', () => say('abort', id, fence, signal.reason.code));
  const { promise, resolve } = Promise.withResolvers();
  holds.set(id, resolve);
  const how = await promise;
  if (how === 'fail') throw new Error('as it was told');
}

const tasks = list.map((id) => ({ id, cron, zone: 'UTC', retryDelay: 60_000, run: (facts) => run({ id, ...facts }) }));
const on = ({ what, id = '', fence = '', by = '' }) => {
  if (what !== 'start') say(what, id, fence, by);
};
try {
  const { added, removed } = await initialize(tasks, { store: address, name: 'test', node, lease: 4000, log: false, on, ...more });
  say('joined', added.join(), removed.join());
} catch (error) {
  say(error.name, error.code, error.message);
  process.exit(1);
}
for await (const line of createInterface({ input: process.stdin })) {
  const [word, id, how] = line.split(' ');
  if (word === 'stop') {
    await stop();
    break;
  } else if (word === 'end') holds.get(id)(how);
  else if (word === 'trigger') await trigger(id).catch((error) => say(error.code));
  else if (word === 'pause') await pause(id);
  else if (word === 'resume') await resume(id);
  else if (word === 'status') {
    for (const { id, state, node, fence } of await status()) say('status', id, state, node, fence);
  } else if (word === 'nodes') {
    for (const { node, alive, inForce } of await nodes()) say('node', node, alive, inForce);
  } else if (word === 'history') {
    for (const { node, fence, result, attempt, error = '' } of await history(id)) say('run', fence, node, result, attempt, error);
  }
  say('ok', word);
}
say('stopped');
process.exit();
