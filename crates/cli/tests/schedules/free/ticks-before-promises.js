// Ticks come before promise jobs, and both before whatever the loop runs next. Its accesses are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs');

let stage = 0;
setTimeout(() => assert.strictEqual(stage, 3), 0);
Promise.resolve().then(() => { assert.strictEqual(stage++, 1); });
process.nextTick(() => {
  assert.strictEqual(stage++, 0);
  process.nextTick(() => { assert.strictEqual(stage, 1); });
});
queueMicrotask(() => { assert.strictEqual(stage++, 2); });
fs.stat('.', () => assert.strictEqual(stage, 3));
