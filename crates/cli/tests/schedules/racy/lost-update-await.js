// An account in memory: the balance is read, a limit is looked up, the balance is written.
// Race: another payment may come during the look-up, and is overwritten.
'use strict';
const assert = require('assert');
const { stat } = require('fs/promises');

let balance = 100;

async function pay(amount) {
  const before = balance;
  await stat('.'); // The look-up.
  balance = before - amount;
}

const first = pay(10);
setTimeout(async () => {
  await pay(20);
  await first;
  assert.strictEqual(balance, 70);
}, 50);
