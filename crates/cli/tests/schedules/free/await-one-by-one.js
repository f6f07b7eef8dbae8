// Each step waits for the one before. Its accesses are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs/promises');

let balance = 100;
async function pay(amount) {
  const before = balance;
  await fs.stat('.');
  balance = before - amount;
}
(async () => {
  await pay(10);
  await pay(20);
  assert.strictEqual(balance, 70);
})();
