// A stream is copied and looked at when it is finished. Its accesses are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs');
const { pipeline } = require('stream');

fs.writeFileSync('from', 'some text');
pipeline(fs.createReadStream('from'), fs.createWriteStream('to'), (error) => {
  if (error) throw error;
  assert.strictEqual(fs.readFileSync('to', 'utf8'), 'some text');
});
