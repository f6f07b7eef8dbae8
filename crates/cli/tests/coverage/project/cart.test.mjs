import assert from 'node:assert';
import test from 'node:test';
import { Cart, checkout, format } from './src/cart.js';
import { join, plural } from './src/words.mjs';

test('totals', () => {
  const cart = new Cart().add('a', 2).add('b', 3, 2);
  assert.strictEqual(cart.total, 8);
  assert.strictEqual(cart.discount('HALF'), 4);
  assert.strictEqual(format(cart.total, 'EUR'), '€8.00');
});
test('pays', async () => {
  assert.strictEqual(await checkout(new Cart(), async () => {}), 'paid');
  assert.strictEqual(await checkout(new Cart(), async () => { throw new Error('no'); }), 'no');
});
test('words', () => {
  assert.strictEqual(plural(2, 'word'), 'words');
  assert.strictEqual(join(['a', 'b', 'c']), 'a, b and c');
});
