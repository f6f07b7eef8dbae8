// What an answer's callback leaves to ticks and promises is done before the next callback begins.
// Its accesses are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs');

fs.stat('.', () => {
  let half = false;
  process.nextTick(() => { half = true; });
  setImmediate(() => {
    assert(half);
    Promise.resolve().then(() => { half = 'whole'; });
    setTimeout(() => assert.strictEqual(half, 'whole'), 1);
  });
});
