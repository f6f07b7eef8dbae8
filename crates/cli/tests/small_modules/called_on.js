// What the callbacks of timers and immediates are called on, and who finds out.
'use strict';
const { executionAsyncResource, AsyncResource } = require('node:async_hooks');
const { promisify } = require('node:util');
const { Timeout } = (() => {
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  return { Timeout: timer.constructor };
})();

const kind = (value) => (value instanceof Timeout ? 'Timeout' : value?.constructor?.name ?? String(value));
const tell = (name, value) => console.log(name, value);
// The frames of the program, without their places.
const frames = (error) =>
  error.stack
    .split('\n')
    .filter((line) => line.includes(__filename))
    .map((line) => line.trim().replace(/ ?\(.*\)$| \/.*$/, ''));

// Those whose handles nobody keeps have none until somebody looks for it.
const dropped = (start) => (callback, wait) => {
  start(callback, wait);
};
const starters = {
  setTimeout, setInterval, setImmediate,
  'setTimeout, dropped': dropped(setTimeout),
  'setImmediate, dropped': dropped(setImmediate),
};
const later = (wait) => new Promise((resolve) => setTimeout(resolve, wait));

class Methods {
  #own = 'own';
  method() { return kind(this); }
  static method() { return kind(this); }
  arrow = () => kind(this);
  get own() { return this.#own; }
}

(async () => {
  // Every way to write a callback, with `this` in it or not.
  for (const [name, start] of Object.entries(starters)) {
    const stop = (handle) => (name.startsWith('setImmediate') ? clearImmediate(handle) : clearTimeout(handle));
    const run = (text, make) =>
      new Promise((resolve) => {
        const told = (value) => {
          tell(`${name}, ${text}:`, value);
          resolve();
        };
        const handle = start(make(told, (value) => (stop(handle), value)), 1);
      });
    const once = (told, end) => (value) => told(end(value));
    await run('function', (told, end) => function () { once(told, end)(kind(this)); });
    await run('sloppy function', (told, end) => {
      const sloppy = new Function('done', 'return function () { done(this); }');
      return sloppy((value) => once(told, end)(kind(value)));
    });
    await run('eval', (told, end) => function () { once(told, end)(kind(eval('this'))); });
    await run('arrow in function', (told, end) => function () { (() => once(told, end)(kind(this)))(); });
    await run('arguments', (told, end) => function () { once(told, end)([arguments.length, kind(this)].join(' ')); });
    await run('default', (told, end) => function (given = kind(this)) { once(told, end)(given); });
    await run('new.target', (told, end) => function () { once(told, end)([new.target, kind(this)].join(' ')); });
    await run('named', (told, end) => function self() { once(told, end)([typeof self, kind(this)].join(' ')); });
    await run('super', (told, end) => ({ __proto__: { who() { return kind(this); } }, who() { once(told, end)(super.who()); } }).who);
    await run('bound', (told, end) => function () { once(told, end)(kind(this)); }.bind(new Map()));
    await run('proxy', (told, end) => new Proxy(function () { once(told, end)(kind(this)); }, {}));
    await run('method', (told, end) => {
      const { method } = new Methods();
      return function () { once(told, end)(method.call(this)); };
    });
    await run('async function', (told, end) => async function () { await null; once(told, end)(kind(this)); });
    await run('generator', (told, end) => {
      function* generator() { yield kind(this); }
      return function () { once(told, end)(generator.call(this).next().value); };
    });
    await run('frames of an arrow', (told, end) => () => once(told, end)(frames(new Error('here')).at(-1)));
    await run('frames of a function', (told, end) => function () { once(told, end)(frames(new Error('here')).at(-1)); });
    await run('frames of a named one', (told, end) => function tick() { once(told, end)(frames(new Error('here')).at(-1)); });
    await run('frames of an async one', (told, end) => async () => once(told, end)(frames(new Error('here')).at(-1)));
  }

  // An interval is called on one handle.
  const seen = new Set();
  await new Promise((resolve) => {
    setInterval(function () {
      seen.add(this);
      if (seen.times === 3) return;
      seen.times = (seen.times ?? 0) + 1;
      if (seen.times === 3) {
        clearInterval(this);
        resolve();
      }
    }, 1);
  });
  tell('handles of an interval:', seen.size);

  // Who lets the handle appear late finds the same one.
  const found = [];
  await new Promise((resolve) => {
    const outer = () => {
      const resource = executionAsyncResource();
      found.push(kind(resource), executionAsyncResource() === resource);
      resource.mine = 1;
      found.push(executionAsyncResource().mine, resource.hasRef(), typeof resource[Symbol.toPrimitive]());
      resolve();
    };
    setTimeout(outer, 1);
  });
  tell('found in a timer:', found.join(' '));
  await new Promise((resolve) => {
    setImmediate(() => {
      const resource = executionAsyncResource();
      tell('found in an immediate:', [kind(resource), resource === executionAsyncResource()].join(' '));
      resolve();
    });
  });

  // An interval that finds itself by its resource stops itself.
  let rounds = 0;
  await new Promise((resolve) => {
    setInterval(() => {
      rounds += 1;
      if (rounds < 3) return;
      clearInterval(executionAsyncResource());
      later(5).then(resolve);
    }, 1);
  });
  tell('rounds:', rounds);

  // A timer that found itself begins anew.
  let times = 0;
  await new Promise((resolve) => {
    setTimeout(() => {
      times += 1;
      if (times === 3) return resolve();
      executionAsyncResource().refresh();
    }, 1);
  });
  tell('times:', times);

  // Natives, and what has no function's code.
  await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setImmediate(resolve));
  tell('promisified:', [await promisify(setTimeout)(1, 'a'), await promisify(setImmediate)('b')].join(' '));
  const collected = [];
  setTimeout(Array.prototype.push.bind(collected, 'pushed'), 1);
  setTimeout(Function.prototype.call.bind(function () { collected.push(kind(this)); }), 1, new Set());
  setTimeout(AsyncResource.bind(function () { collected.push(kind(this)); }), 1);
  await later(5);
  tell('collected:', collected.join(' '));

  // Errors that nobody catches say it, too. V8 writes a stack when it is first asked for, and the immediate is over by then.
  const written = (error) => (frames(error), error);
  process.once('uncaughtException', (error) => {
    tell('uncaught:', frames(error).join(', '));
    process.once('uncaughtException', (error) => tell('uncaught:', frames(error).join(', ')));
    setImmediate(() => { throw written(new Error('immediate')); });
  });
  setTimeout(() => { throw written(new Error('timer')); }, 1);
  await later(5);
})().catch((error) => {
  console.log(error);
  process.exitCode = 1;
});
