// How large a chunk counts: by its bytes, or as one.
'use strict';

const { codes: { ERR_MISSING_OPTION } } = require('internal/errors');
const { validateObject } = require('internal/validators');
const { attach, finish, stateOf, kStateClass } = require('internal/webstreams/common');

class State {
  // Declared, so that setters of `Object.prototype` are not called.
  highWaterMark = undefined;

  constructor(init) {
    validateObject(init, 'init');
    if (init.highWaterMark === undefined) throw new ERR_MISSING_OPTION('init.highWaterMark');
    this.highWaterMark = +init.highWaterMark;
  }
}

// The functions are the same for all strategies of a kind, and no constructors.
const { size: byteSize } = { size(chunk) { return chunk.byteLength; } };
const { size: countSize } = { size() { return 1; } };

class ByteLengthQueuingStrategy {
  static [kStateClass] = class extends State {};

  constructor(init) {
    attach(this, new ByteLengthQueuingStrategy[kStateClass](init));
  }

  get highWaterMark() {
    return stateOf(this, ByteLengthQueuingStrategy).highWaterMark;
  }

  get size() {
    stateOf(this, ByteLengthQueuingStrategy);
    return byteSize;
  }
}

class CountQueuingStrategy {
  static [kStateClass] = class extends State {};

  constructor(init) {
    attach(this, new CountQueuingStrategy[kStateClass](init));
  }

  get highWaterMark() {
    return stateOf(this, CountQueuingStrategy).highWaterMark;
  }

  get size() {
    stateOf(this, CountQueuingStrategy);
    return countSize;
  }
}

for (const Class of [ByteLengthQueuingStrategy, CountQueuingStrategy]) {
  finish(Class, (self) => ({ highWaterMark: self.highWaterMark }));
}

module.exports = { ByteLengthQueuingStrategy, CountQueuingStrategy };
