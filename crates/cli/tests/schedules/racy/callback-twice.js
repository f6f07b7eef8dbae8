// A read with a time limit, in the manner of many helpers: the limit is lifted when the read ends.
// Race: when the limit comes first, the read still calls back, a second time.
'use strict';
const assert = require('assert');
const fs = require('fs');

fs.writeFileSync('slow.txt', 'text');

function readWithin(file, ms, callback) {
  const limit = setTimeout(() => callback(new Error('too slow')), ms);
  fs.readFile(file, 'utf8', (error, text) => {
    clearTimeout(limit);
    callback(error, text);
  });
}

let calls = 0;
readWithin('slow.txt', 100, () => {
  calls++;
  assert.strictEqual(calls, 1, 'called back twice');
});
