// A counter in a file is read, increased and written.
// Race: the second increment may read before the first has written, and one of them is lost.
'use strict';
const assert = require('assert');
const fs = require('fs/promises');
const { writeFileSync } = require('fs');

writeFileSync('counter', '0');
let increments = 0;

async function increment() {
  const count = Number(await fs.readFile('counter', 'utf8'));
  await fs.writeFile('counter', String(count + 1));
  increments++;
  if (increments === 2) assert.strictEqual(await fs.readFile('counter', 'utf8'), '2');
}

increment();
setTimeout(increment, 80);
