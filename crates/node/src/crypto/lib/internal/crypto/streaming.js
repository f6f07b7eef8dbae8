// Hashes are streams, too, but few programs use them so: streams are loaded when one does.
'use strict';

// What of a stream a program would touch first.
const entries = [
  'write', 'end', 'pipe', 'read', 'on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners', 'emit',
  'setEncoding', 'resume', 'pause', 'destroy', 'push', 'unpipe', 'cork', 'uncork', Symbol.asyncIterator,
];

// Makes the state of a stream for an object that was made without, when it is first needed.
function stateOnDemand(Transform, name) {
  return {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      // The transform sets its own options from those that the hash was given.
      Transform.call(this, this._options);
      return this[name];
    },
    set(value) {
      Object.defineProperty(this, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value });
    },
  };
}

/// Lets the instances of some classes become transform streams at the first touch.
exports.makeStreams = function makeStreams(...classes) {
  const before = {};
  const load = () => {
    const { Transform } = require('stream');
    const LazyTransform = Object.create(Transform.prototype);
    for (const name of ['_readableState', '_writableState']) {
      Object.defineProperty(LazyTransform, name, stateOnDemand(Transform, name));
    }
    for (const one of classes) Object.setPrototypeOf(one.prototype, LazyTransform);
  };
  for (const name of entries) {
    Object.defineProperty(before, name, {
      configurable: true,
      writable: true,
      value(...args) {
        load();
        return this[name](...args);
      },
    });
  }
  for (const one of classes) Object.setPrototypeOf(one.prototype, before);
};
