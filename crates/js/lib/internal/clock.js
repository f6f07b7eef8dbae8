// Date, Math.random and performance, from the world instead of the engine's own view of the system.
// Uses binding.wallClock, binding.now, binding.random.
'use strict';

exports.install = function install(global) {
  const EngineDate = Date;
  const { wallClock } = binding;

  function HemiolaDate(...args) {
    if (new.target === undefined) return new EngineDate(wallClock()).toString();
    if (args.length === 0) return Reflect.construct(EngineDate, [wallClock()], new.target);
    return Reflect.construct(EngineDate, args, new.target);
  }
  Object.defineProperty(HemiolaDate, 'name', { value: 'Date', configurable: true });
  Object.defineProperty(HemiolaDate, 'length', { value: 7, configurable: true });
  HemiolaDate.prototype = EngineDate.prototype;
  Object.defineProperty(HemiolaDate, 'prototype', { writable: false, enumerable: false, configurable: false });
  Object.defineProperty(EngineDate.prototype, 'constructor', { value: HemiolaDate, writable: true, configurable: true });
  for (const name of ['parse', 'UTC']) {
    Object.defineProperty(HemiolaDate, name, { value: EngineDate[name], writable: true, configurable: true });
  }
  Object.defineProperty(HemiolaDate, 'now', { value: function now() { return wallClock(); }, writable: true, configurable: true });
  Object.defineProperty(global, 'Date', { value: HemiolaDate, writable: true, configurable: true });

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
