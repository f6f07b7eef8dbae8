// Write, then read, then remove, each in the callback of the one before. Its accesses are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs');

fs.mkdir('work', () => {
  fs.writeFile('work/file', 'text', () => {
    fs.readFile('work/file', 'utf8', (error, text) => {
      assert.strictEqual(text, 'text');
      fs.rm('work', { recursive: true }, (error) => {
        if (error) throw error;
        assert(!fs.existsSync('work/file'));
      });
    });
  });
});
