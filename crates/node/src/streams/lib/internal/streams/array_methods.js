// What a Readable has in common with an array: the methods themselves are loaded when one is first used.
'use strict';

// By name, the number of parameters.
const lengths = {
  asIndexedPairs: 0, drop: 1, filter: 2, flatMap: 2, map: 2, take: 1, compose: 2,
  every: 1, forEach: 2, reduce: 3, toArray: 1, some: 1, find: 2,
};

function install(Readable) {
  for (const name of Object.keys(lengths)) {
    const value = function(...args) {
      if (new.target) throw new (require('internal/errors').codes.ERR_ILLEGAL_CONSTRUCTOR)();
      const { promises, streams } = require('internal/streams/operators');
      if (promises[name]) return Reflect.apply(promises[name], this, args);
      return Readable.from(Reflect.apply(streams[name], this, args));
    };
    Object.defineProperty(value, 'name', { value: name, configurable: true });
    Object.defineProperty(value, 'length', { value: lengths[name], configurable: true });
    Object.defineProperty(Readable.prototype, name, { value, writable: true, configurable: true, enumerable: false });
  }
}

module.exports = { install };
