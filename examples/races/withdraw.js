// Two withdrawals, each of which looks before it takes. In most orders the second sees what the first has
// left; not in all:
//
//   hemiola explore examples/races/withdraw.js
//   hemiola races examples/races/withdraw.js
const assert = require('node:assert');
const { access } = require('node:fs/promises');

let balance = 100;

async function withdraw(amount, card) {
  await access(card);
  if (balance < amount) return;
  await access(card); // Asks the bank, which takes a while.
  balance -= amount;
}

withdraw(70, __filename);
setTimeout(() => withdraw(70, __filename), 100);

process.on('exit', () => assert.ok(balance >= 0, `overdrawn: ${balance}`));
