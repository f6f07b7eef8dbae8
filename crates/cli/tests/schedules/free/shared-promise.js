// Benign: whoever comes first opens the pool, and the others wait for the same promise.
'use strict';
const assert = require('assert');
const fs = require('fs/promises');

let opened = 0;
let pool = null;
const getPool = () => {
  pool ??= fs.stat('.').then((stats) => {
    opened++;
    return stats;
  });
  return pool;
};
setImmediate(getPool);
setTimeout(async () => {
  await getPool();
  assert.strictEqual(opened, 1);
}, 0);
