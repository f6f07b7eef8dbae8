// expect.poll: an expectation of what a function gives, tried until it is met or the time is over.
'use strict';

const { setTimeout } = require('internal/timers');

const { now } = binding;

exports.poll = function poll(fn, { interval = 50, timeout = 1000, message } = {}, expect) {
  const make = (isNot) => new Proxy({}, {
    __proto__: null,
    get(_, name) {
      if (name === 'not') return make(!isNot);
      if (name === 'then') return undefined;
      return async (...args) => {
        const end = now() + timeout;
        for (;;) {
          try {
            const expectation = expect(await fn(), message);
            return await (isNot ? expectation.not : expectation)[name](...args);
          } catch (error) {
            if (now() >= end) throw error;
          }
          await new Promise((resolve) => { setTimeout(resolve, interval); });
        }
      };
    },
  });
  return make(false);
};
