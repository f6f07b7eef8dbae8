// Sleeps and ticks end when their signal says so.
const { clock } = require('hemiola:clock');
const { getEventListeners } = require('events');
const a = clock('A');
const show = (what) => (error) => console.log(what, error.name, error.code, error.cause);
(async () => {
  await a.sleep(1, { signal: AbortSignal.abort('before') }).catch(show('sleep'));
  const controller = new AbortController();
  const { signal } = controller;
  a.setTimeout(() => controller.abort('while'), 5);
  await a.sleep(10, { signal }).catch(show('sleep'));
  console.log(getEventListeners(signal, 'abort').length);
  const second = new AbortController();
  console.log(await a.sleep(1, { signal: second.signal, value: 'in time' }), getEventListeners(second.signal, 'abort').length);
  let count = 0;
  try {
    for await (const time of a.ticks(5, { signal: second.signal })) {
      if (++count === 3) second.abort('enough');
    }
  } catch (error) {
    show(`ticks ${count}`)(error);
  }
  console.log(getEventListeners(second.signal, 'abort').length);
  const dead = a.ticks(5, { signal: second.signal });
  await dead.next().catch(show('dead'));
  console.log(await dead.next());
  console.log(a.now() === undefined ? 'idle' : 'in use');
})();
