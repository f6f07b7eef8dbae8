// Two tasks at once, each with its own file and its own variable. Nothing is shared but the directory
// that is there already, which neither lists.
'use strict';
const assert = require('assert');
const fs = require('fs');

for (const name of ['one', 'two']) {
  let size = 0;
  fs.writeFileSync(name, name);
  fs.readFile(name, 'utf8', (error, text) => {
    size = text.length;
    fs.unlink(name, () => assert.strictEqual(size, 3));
  });
}
