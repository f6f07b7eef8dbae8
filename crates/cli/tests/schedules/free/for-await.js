// An asynchronous generator is asked for the next value when the last one has been used. Its accesses
// are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs/promises');

let position = 0;
async function* parts() {
  while (position < 3) {
    await fs.stat('.');
    yield position++;
  }
}
(async () => {
  const seen = [];
  for await (const part of parts()) seen.push(part * position);
  assert.deepStrictEqual(seen, [0, 2, 6]);
})();
