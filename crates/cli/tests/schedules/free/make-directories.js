// Benign: two tasks make the directories they need, and do not mind those that are there.
'use strict';
const assert = require('assert');
const fs = require('fs');

const make = (path) => fs.mkdir(path, { recursive: true }, (error) => {
  if (error) throw error;
});
make('out/one');
make('out/two');
process.on('exit', () => assert.strictEqual(fs.readdirSync('out').sort().join(), 'one,two'));
