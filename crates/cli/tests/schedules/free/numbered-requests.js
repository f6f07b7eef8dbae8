// Benign: an answer to a question that is no longer the last one is dropped.
'use strict';
const assert = require('assert');
const fs = require('fs');

let last = 0;
let shown = '';
function search(text) {
  const number = ++last;
  fs.stat('.', () => {
    if (number !== last) return;
    shown = text;
  });
}
search('a');
setTimeout(() => search('ab'), 20);
process.on('exit', () => assert.strictEqual(shown, 'ab'));
