// A pool that is opened when it is first needed.
// Race: whoever needs it while it is being opened opens it again.
'use strict';
const assert = require('assert');
const { stat } = require('fs/promises');

let pool = null;
let opened = 0;

async function getPool() {
  if (pool === null) {
    const { size } = await stat('.');
    opened++;
    pool = { size };
  }
  return pool;
}

getPool();
setTimeout(async () => {
  await getPool();
  assert.strictEqual(opened, 1);
}, 30);
