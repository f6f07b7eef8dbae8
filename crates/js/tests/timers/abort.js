// Aborting before, while and after, and what comes of the other promises.
const { setTimeout, setImmediate, setInterval } = require('node:timers/promises');
const { getEventListeners } = require('node:events');

(async () => {
const show = (name) => (error) => console.log(name, error.name, error.code, error.cause?.message ?? error.cause);
const controller = new AbortController();
const { signal } = controller;
const all = [
  setTimeout(100000, 'never', { signal }).catch(show('timeout')),
  setImmediate('never', { signal }).catch(show('immediate')),
  setInterval(100000, 'never', { signal }).next().catch(show('interval')),
];
console.log(getEventListeners(signal, 'abort').length);
controller.abort(new Error('reason'));
await Promise.all(all);
console.log(getEventListeners(signal, 'abort').length);
await setTimeout(1, 'x', { signal }).catch(show('before'));

const late = new AbortController();
console.log(await setTimeout(1, 'in time', { signal: late.signal }), await setImmediate('soon', { signal: late.signal }));
late.abort();
console.log(getEventListeners(late.signal, 'abort').length);

// An event that is stopped still aborts.
const stopped = new AbortController();
stopped.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
const waiting = setTimeout(100000, 'never', { signal: stopped.signal }).catch(show('stopped'));
stopped.abort();
await waiting;

let seen = 0;
const loop = new AbortController();
try {
  for await (const value of setInterval(1, 'tick', { signal: loop.signal })) {
    console.log(value);
    if (++seen === 3) loop.abort('enough');
  }
} catch (error) {
  show('loop')(error);
}
})();
