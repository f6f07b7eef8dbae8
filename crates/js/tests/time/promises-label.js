// TIME-3, TIME-5: timers/promises on a labelled clock.
const { setTimeout: sleep, setInterval: every, scheduler } = require('timers/promises');
const { spend } = require('hemiola:clock');
setTimeout(() => {}, 1, 'A');
const start = currentTime('A');
const show = (what) => console.log(what, currentTime('A') - start);
(async () => {
  show(await sleep(10, 'slept', { label: 'A' }));
  spend(15);
  show(await sleep(10, 'slept', { label: 'A' }));
  await scheduler.wait(5, { label: 'A' });
  show('waited');
  let count = 0;
  for await (const value of every(5, 'tick', { label: 'A' })) {
    spend(7);
    show(value);
    if (++count === 3) break;
  }
  const controller = new AbortController();
  controller.abort();
  await sleep(10, 0, { label: 'A', signal: controller.signal }).catch((error) => show(error.name));
  await sleep(Infinity, 0, { label: 'A' }).catch((error) => show(error.code));
  await sleep(1, 0, { label: 5 }).catch((error) => show(error.message));
})();
setTimeout(() => show('timeout of 20'), 20, 'A');
