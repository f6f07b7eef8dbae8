// What comes after a callback or a tick that failed, if a handler has taken the error (rule LOOP-7): the next callback of
// its phase, and then what was left of the tail.
const fs = require('fs');

const shown = [];
const log = (name) => shown.push(name);
process.on('uncaughtException', ({ message }) => {
  log(`!${message}`);
  process.nextTick(log, `t!${message}`);
  Promise.resolve().then(() => log(`p!${message}`));
});
const good = (name) => {
  log(name);
  process.nextTick(log, `t${name}`);
  queueMicrotask(() => log(`p${name}`));
};
const bad = (name) => {
  good(name);
  throw new Error(name);
};
const failsLater = (name) => {
  process.nextTick(bad, 'b');
  process.nextTick(good, 'c');
  log(name);
};
const timer = (callback, name) => setTimeout(() => callback(name), 1);

const cases = {
  'an immediate, before others'() {
    for (const [callback, name] of [[good, 'a'], [bad, 'b'], [good, 'c'], [good, 'd']]) setImmediate(callback, name);
  },
  'two immediates'() {
    for (const [callback, name] of [[bad, 'a'], [bad, 'b'], [good, 'c']]) setImmediate(callback, name);
  },
  'the last immediate'() {
    setImmediate(bad, 'a');
  },
  'the last immediate, which has made others'() {
    setImmediate(() => {
      setImmediate(good, 'x');
      setImmediate(good, 'y');
      bad('a');
    });
  },
  'a timer, before others of its list'() {
    for (const [callback, name] of [[good, 'a'], [bad, 'b'], [good, 'c'], [good, 'd']]) timer(callback, name);
  },
  'the last timer'() {
    timer(bad, 'a');
  },
  'a tick, before immediates'() {
    setImmediate(failsLater, 'a');
    setImmediate(good, 'x');
    setImmediate(good, 'y');
  },
  'a tick, with immediates in the next turn'() {
    setImmediate(() => {
      setImmediate(good, 'x');
      setImmediate(good, 'y');
      failsLater('a');
    });
  },
  'a tick after a completion'() {
    fs.stat('/', () => {
      setImmediate(good, 'x');
      failsLater('a');
    });
  },
  'a completion'() {
    fs.stat('/', () => {
      setImmediate(good, 'x');
      bad('a');
    });
  },
  'a microtask, which keeps nothing waiting'() {
    setImmediate(() => {
      queueMicrotask(() => bad('b'));
      queueMicrotask(() => good('c'));
      log('a');
    });
    setImmediate(good, 'x');
  },
  'a listener of an event target'() {
    const target = new EventTarget();
    target.addEventListener('x', () => bad('e'));
    setImmediate(() => {
      target.dispatchEvent(new Event('x'));
      log('h');
    });
    setImmediate(good, 'x');
    setImmediate(good, 'y');
  },
  'a rejection and an immediate'() {
    setImmediate(() => {
      Promise.reject(new Error('r'));
      bad('a');
    });
    setImmediate(good, 'x');
    setImmediate(good, 'y');
  },
  'a message, before others'() {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (number) => {
      if (number === 3) port1.close();
      (number === 1 ? bad : good)(`m${number}`);
    });
    for (const number of [1, 2, 3]) port2.postMessage(number);
  },
};

function next([first, ...rest]) {
  if (first === undefined) return;
  cases[first]();
  setTimeout(() => {
    console.log(`${first}: ${shown.splice(0).join(' ')}`);
    next(rest);
  }, 40);
}
next(Object.keys(cases));
