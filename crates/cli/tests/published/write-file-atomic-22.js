// Two writes of one file: what was written last is replaced by what was written first.
// published: https://github.com/npm/write-file-atomic/pull/22
// buggy: write-file-atomic@2.1.0
// repaired: write-file-atomic@2.3.0
// race: slide/lib/bind-actor.js:15 slide/lib/bind-actor.js:15
const assert = require('node:assert');
const fs = require('node:fs');
const writeFile = require(process.argv[2]);

let left = 2;
const written = (error) => {
  assert.ifError(error);
  if (--left === 0) assert.equal(fs.readFileSync('settings.json', 'utf8'), 'second');
};
writeFile('settings.json', 'first', written);
writeFile('settings.json', 'second', written);
