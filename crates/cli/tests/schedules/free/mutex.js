// A promise chain as a lock: each task begins when the one before is done. Its accesses are ordered.
'use strict';
const assert = require('assert');
const { stat } = require('fs/promises');

let tail = Promise.resolve();
const locked = (task) => {
  tail = tail.then(task);
  return tail;
};

let count = 0;
async function increment() {
  const before = count;
  await stat('.');
  count = before + 1;
}
locked(increment);
locked(increment);
locked(increment).then(() => assert.strictEqual(count, 3));
