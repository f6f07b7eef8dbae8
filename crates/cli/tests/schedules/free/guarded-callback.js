// Benign: a time limit and the work both call back, and the guard lets only one through.
'use strict';
const assert = require('assert');
const fs = require('fs');

function within(ms, callback) {
  let called = false;
  const once = () => {
    if (called) return;
    called = true;
    callback();
  };
  setTimeout(once, ms);
  fs.stat('.', once);
}

let calls = 0;
within(50, () => { calls++; });
process.on('exit', () => assert.strictEqual(calls, 1));
