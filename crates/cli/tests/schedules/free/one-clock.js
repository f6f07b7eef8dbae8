// Everything on one logical clock: order follows from its instants, however late they come. Its
// accesses are ordered.
'use strict';
const assert = require('assert');

const log = [];
const timer = setInterval(() => log.push('p'), 10, 'A');
setTimeout(() => log.push('x'), 15, 'A');
setTimeout(() => {
  clearInterval(timer);
  assert.strictEqual(log.join(''), 'pxpp');
}, 35, 'A');
