// node:tty, for the standard streams.
// Uses binding.isTerminal.
'use strict';

exports.isatty = function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && fd <= 2147483647 && binding.isTerminal(fd);
};

// Those who only ask whether there is a terminal need no streams. Programs call them without `new`, too.
for (const name of ['ReadStream', 'WriteStream']) {
  let constructor;
  const load = () => {
    if (constructor !== undefined) return constructor;
    const Stream = require('internal/process/terminal')[name];
    constructor = { [name]: function(fd) { return Reflect.construct(Stream, [fd], new.target ?? Stream); } }[name];
    constructor.prototype = Stream.prototype;
    Stream.prototype.constructor = constructor;
    return Object.setPrototypeOf(constructor, Object.getPrototypeOf(Stream));
  };
  Object.defineProperty(exports, name, {
    __proto__: null, configurable: true, enumerable: true, get: load, set: (value) => { constructor = value; },
  });
}
