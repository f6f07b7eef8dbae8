'use strict';

class Cart {
  #items = [];

  add(name, price, count = 1) {
    if (price < 0) {
      throw new RangeError('a price is not negative');
    }
    this.#items.push({ name, price, count });
    return this;
  }

  get total() {
    return this.#items.reduce((sum, { price, count }) => sum + price * count, 0);
  }

  discount(code) {
    switch (code) {
      case 'TEN':
        return this.total * 0.9;
      case 'HALF':
        return this.total / 2;
      default:
        return this.total;
    }
  }

  clear() {
    this.#items.length = 0;
  }
}

const format = (amount, currency) => {
  const symbol = currency === 'EUR' ? '€' : '$';
  for (const part of [symbol]) {
    if (!part) continue;
    return `${part}${amount.toFixed(2)}`;
  }
  return 'never';
};

async function checkout(cart, pay) {
  try {
    await pay(cart.total);
    return 'paid';
  } catch (error) {
    return error?.message ?? 'failed';
  }
}

function unused() {
  return [1, 2].map((x) => x * 2);
}

module.exports = { Cart, format, checkout, unused };
