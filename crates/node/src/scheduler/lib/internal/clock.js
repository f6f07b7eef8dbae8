// Date, Math.random and performance, from the world instead of the engine's own view of the system.
// Uses binding.random.
'use strict';

exports.install = function install(global) {
  // A program that does not ask for Date does not pay for it.
  const EngineDate = Date;
  // The engine's own asks the system for the time: no date leads there.
  Object.defineProperty(EngineDate.prototype, 'constructor', { value: undefined });
  Object.defineProperty(global, 'Date', {
    configurable: true,
    get() { return require('internal/date').install(global, EngineDate); },
    set(value) { Object.defineProperty(global, 'Date', { value, writable: true, configurable: true }); },
  });

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
