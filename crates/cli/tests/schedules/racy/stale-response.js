// A search box: each key press starts a look-up, and whatever answer comes last is shown.
// Race: the answer to the first look-up may come after that to the second.
'use strict';
const assert = require('assert');
const fs = require('fs');

fs.writeFileSync('a.txt', 'results for a');
fs.writeFileSync('ab.txt', 'results for ab');
let shown = '';

function search(text) {
  fs.readFile(`${text}.txt`, 'utf8', (error, results) => {
    if (error) throw error;
    shown = results;
  });
}

search('a');
setTimeout(() => search('ab'), 70);
process.on('exit', () => assert.strictEqual(shown, 'results for ab'));
