// Two logical clocks that began together: their instants compare, and the older clock is first at equal
// ones. Its accesses are ordered.
'use strict';
const assert = require('assert');

const log = [];
let rounds = 0;
const a = setInterval(() => log.push('a'), 10, 'A');
const b = setInterval(() => {
  log.push('b');
  if (++rounds < 2) return;
  clearInterval(a);
  clearInterval(b);
  assert.strictEqual(log.join(''), 'aabaab');
}, 20, 'B');
