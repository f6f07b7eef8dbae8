// Benign: several answers, of which the greatest counts.
'use strict';
const assert = require('assert');
const fs = require('fs');

let highest = 0;
const offer = (value) => {
  if (value > highest) highest = value;
};
fs.stat('.', () => offer(3));
fs.readdir('.', () => offer(5));
setTimeout(() => offer(4), 5);
process.on('exit', () => assert.strictEqual(highest, 5));
