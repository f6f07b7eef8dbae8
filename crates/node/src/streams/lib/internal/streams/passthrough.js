// PassThrough: a Transform that changes nothing.
'use strict';

const Transform = require('internal/streams/transform');

module.exports = PassThrough;
Object.setPrototypeOf(PassThrough, Transform);
PassThrough.prototype = Object.create(Transform.prototype, {
  constructor: { value: PassThrough, configurable: true, writable: true },
  _transform: { value: pass, configurable: true, writable: true, enumerable: true },
});

function PassThrough(options) {
  return this instanceof PassThrough ? void Transform.call(this, options) : new PassThrough(options);
}

function pass(chunk, encoding, callback) {
  callback(null, chunk);
}
