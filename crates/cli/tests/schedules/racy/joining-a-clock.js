// An answer joins a clock: what it releases counts from the clock's last instant.
// Race: how many periods have passed by then is open.
'use strict';
const assert = require('assert');
const fs = require('fs');

let periods = 0;
const timer = setInterval(() => {
  periods++;
  if (periods === 4) clearInterval(timer);
}, 10, 'A');
fs.stat('.', () => {
  setTimeout(() => assert.strictEqual(periods, 2), 25, 'A');
});
