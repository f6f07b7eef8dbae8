// Benign: what is waited for is counted before anything begins, and whoever is last goes on.
'use strict';
const assert = require('assert');
const fs = require('fs');

const sizes = new Map();
const names = ['a', 'b', 'c'];
let pending = names.length;
for (const name of names) fs.writeFileSync(name, name);
for (const name of names) {
  fs.stat(name, (error, stats) => {
    sizes.set(name, stats.size);
    if (--pending > 0) return;
    assert.strictEqual(sizes.size, 3);
  });
}
