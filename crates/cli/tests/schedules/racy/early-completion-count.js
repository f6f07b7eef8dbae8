// A walk over files counts what it waits for, but each file counts itself only when it begins.
// Race: the first may be done before the second has begun: then the walk ends early.
'use strict';
const assert = require('assert');
const fs = require('fs');

const found = [];
let pending = 0;
let reported = null;

function visit(name) {
  fs.access('.', () => {
    pending++;
    setTimeout(() => { // Looks at it, which takes a while.
      found.push(name);
      if (--pending === 0) reported ??= found.length;
    }, 40);
  });
}

visit('a');
visit('b');
process.on('exit', () => assert.strictEqual(reported, 2));
