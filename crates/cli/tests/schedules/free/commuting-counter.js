// Benign: two answers increase the same counter, in either order.
'use strict';
const assert = require('assert');
const fs = require('fs');

let count = 0;
fs.stat('.', () => { count++; });
fs.readdir('.', () => { count++; });
process.on('exit', () => assert.strictEqual(count, 2));
