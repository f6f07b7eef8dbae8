// A task that fails until it is given up, then is tried again; and one that goes on after its limit.
import { initialize, retry, status, stop, trigger } from 'hemiola:scheduler';

const [store] = process.argv.slice(2);
const say = (...words) => console.log(words.join(' '));
const over = Promise.withResolvers();
const aborted = Promise.withResolvers();
let isFixed = false;
let inside = 0;
const tasks = [
  {
    id: 'flaky', cron: '0 0 29 2 *', zone: 'UTC', retryDelay: 2, backoff: 3, maxRetryDelay: 9, attempts: 3,
    run({ attempt, due, signal, fence, node, log, reason }) {
      log('try %d', attempt);
      say('run', reason, attempt, fence, node, due instanceof Date, signal.aborted);
      if (!isFixed) throw new Error('no disk');
    },
  },
  {
    id: 'deaf', cron: '0 0 29 2 *', zone: 'UTC', timeout: 5, retryDelay: 0, attempts: 2,
    async run({ attempt, signal }) {
      inside += 1;
      say('enter', attempt, inside);
      signal.addEventListener('abort', aborted.resolve);
      await new Promise((resolve) => { setTimeout(resolve, 40); });
      say('leave', attempt, signal.reason.name);
      inside -= 1;
    },
  },
];
const on = ({ what, id, attempt, dead, message = '' }) => {
  if (what !== 'start') say('on', what, id, attempt, dead ?? '', message);
  if (dead || what === 'success') over.resolve();
};
await initialize(tasks, { store, node: 'one', on });
await trigger('flaky');
await over.promise;
const [, flaky] = (await status()).sort((a, b) => (a.id < b.id ? -1 : 1));
say(flaky.state, flaky.failures, flaky.dead.attempts, flaky.dead.error, flaky.retryAt);
isFixed = true;
Object.assign(over, Promise.withResolvers());
const isTried = await retry('flaky');
await over.promise;
say(isTried, await retry('flaky'));
Object.assign(over, Promise.withResolvers());
await trigger('deaf');
// While it goes on after its limit it is asked for once more.
await aborted.promise;
await trigger('deaf');
await over.promise;
await stop();
say('stopped', inside);
