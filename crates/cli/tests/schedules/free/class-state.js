// An object that goes through its states, each set by the callback of the last. Its accesses are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs');

class Door {
  state = 'closed';
  open(then) {
    this.state = 'opening';
    fs.stat('.', () => {
      assert.strictEqual(this.state, 'opening');
      this.state = 'open';
      process.nextTick(then);
    });
  }
}
const door = new Door();
door.open(() => {
  assert.strictEqual(door.state, 'open');
  setImmediate(() => { door.state = 'closed'; });
});
