// Date, Math.random and performance, from the world instead of the engine's own view of the system.
// Uses binding.random.
'use strict';

exports.install = function install(global) {
  // A program that does not ask for Date does not pay for it.
  const { Date: EngineDate } = global;
  // The engine's own asks the system for the time: no date leads there.
  Object.defineProperty(EngineDate.prototype, 'constructor', { value: undefined });
  const put = (target, get) => {
    const set = (value) => {
      Object.defineProperty(target, 'Date', { __proto__: null, configurable: true, enumerable: false, value, writable: true });
      return value;
    };
    Object.defineProperty(target, 'Date', { __proto__: null, configurable: true, enumerable: false, get: () => set(get()), set });
  };
  // The library's stays the same when the program has another.
  const kept = require('internal/kept');
  put(kept, () => require('internal/date').make(EngineDate));
  put(global, () => kept.Date);

  const { random } = binding;
  Object.defineProperty(Math, 'random', { value: { random() { return random(); } }.random, writable: true, configurable: true });
  delete global.performance;
  Object.defineProperty(global, 'performance', {
    configurable: true,
    enumerable: true,
    get: () => settle(require('internal/performance').performance),
    set: settle,
  });

  function settle(value) {
    Object.defineProperty(global, 'performance', { value, writable: true, configurable: true, enumerable: true });
    return value;
  }
};
