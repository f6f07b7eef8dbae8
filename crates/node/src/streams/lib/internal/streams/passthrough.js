// PassThrough: a transform stream that changes nothing.
'use strict';

const Transform = require('internal/streams/transform');

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);

PassThrough.prototype._transform = function _transform(chunk, encoding, callback) {
  callback(null, chunk);
};

module.exports = PassThrough;
