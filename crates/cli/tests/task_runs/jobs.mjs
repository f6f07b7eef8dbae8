// Jobs: one run of a task each, with a payload, once for each key, tried again, given up, kept through restarts.
import { cancel, enqueue, history, initialize, jobs, retry, status, stop, trigger } from 'hemiola:scheduler';

const [store] = process.argv.slice(2);
const say = (...words) => console.log(words.join(' '));
// Answers come when they come: they are said at the end.
const answers = [];
const note = (...words) => answers.push(words.join(' '));
const show = async () => say(JSON.stringify((await jobs('mail')).map(({ id, state, payload, failures }) => [id, state, payload, failures])));
let awaited = { count: 0 };
const ends = (count) => new Promise((resolve) => { awaited = { count, resolve }; });
const on = ({ what, id, attempt, dead }) => {
  if (what !== 'success' && what !== 'failure') return;
  say(what, id.replace(/\d+/, 'N'), attempt, dead ?? '');
  awaited.count -= 1;
  if (awaited.count === 0) awaited.resolve();
};
const mail = {
  id: 'mail', retryDelay: 3, attempts: 2,
  run({ payload, job, key, attempt, reason, due }) {
    say('run', job.replace(/\d+/, 'N'), key, JSON.stringify(payload), attempt, reason, due instanceof Date);
    if (payload?.bad) throw new Error('no such address');
  },
};
const options = { store, node: 'one', on, log: false };
await initialize([mail, ['other', '0 0 29 2 *', () => {}]], options);
let over = ends(2);
note(JSON.stringify(await enqueue('mail', { to: 'a' }, { key: 'a', in: 3_600_000 })));
note(JSON.stringify(await enqueue('mail', { to: 'b' }, { key: 'a' })));
await show();
await enqueue('mail', { bad: true }, { key: 'bad', at: new Date(0) });
await over;
over = ends(1);
await trigger('@mail=a');
await over;
await show();
over = ends(2);
note(await retry('@mail=bad'));
await over;
note(await cancel('@mail=bad'), (await jobs()).length);
for (const act of [() => cancel('@mail=bad'), () => enqueue('none'), () => enqueue('mail', () => {}), () => enqueue('mail', 1, { at: 1, in: 1 }), () => enqueue('mail', 1, { when: 1 })]) {
  await act().catch((error) => note(error.code));
}
over = ends(2);
note(JSON.stringify(await enqueue('mail', undefined, { key: 'a' })));
const { job, added } = await enqueue('mail', [1]);
note(/^@\d+$/.test(job), added);
await over;
note((await status()).map(({ id, state, lastResult, nextDue }) => [id, state, lastResult, nextDue?.getUTCMonth()].join(' ')));
if (store) {
  note((await history('mail')).map(({ result }) => result));
  await enqueue('mail', 'later', { key: 'later', in: 500 });
  await stop();
  // Nobody is there who could run it: it waits.
  await initialize([['other', '0 0 29 2 *', () => {}]], options);
  await new Promise((resolve) => { setTimeout(resolve, 700); });
  await stop();
  over = ends(1);
  await initialize([mail], options);
  await over;
}
await stop();
say(answers.join('\n'));
