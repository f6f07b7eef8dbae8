// Two lines of a journal are appended one after the other, but nobody waits for the first.
// Race: the second may reach the file first.
'use strict';
const assert = require('assert');
const fs = require('fs');

let left = 2;
const done = (error) => {
  if (error) throw error;
  if (--left === 0) assert.strictEqual(fs.readFileSync('journal', 'utf8'), 'begin\nend\n');
};

fs.appendFile('journal', 'begin\n', done);
setTimeout(() => fs.appendFile('journal', 'end\n', done), 40);
