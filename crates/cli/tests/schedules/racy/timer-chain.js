// Two steps of 10 ms each should be over before 25 ms.
// Race: the second step is set when the first has run, which may be late.
'use strict';
const assert = require('assert');

let steps = 0;
setTimeout(() => assert.strictEqual(steps, 2), 25);
setTimeout(() => {
  steps++;
  setTimeout(() => { steps++; }, 10);
}, 10);
