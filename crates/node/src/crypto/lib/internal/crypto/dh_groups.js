// Groups that everybody knows, from RFC 2409 and RFC 3526. Their primes are computed as these documents say:
// the digits of pi, with as small a number added as makes a safe prime of them.
'use strict';

// Bits of the prime, and the number that is added.
const groups = {
  __proto__: null,
  modp1: [768, 149686n], modp2: [1024, 129093n], modp5: [1536, 741804n], modp14: [2048, 124476n], modp15: [3072, 1690314n],
  modp16: [4096, 240904n], modp17: [6144, 929484n], modp18: [8192, 4743158n],
};

// How many bits of a secret number are as hard to guess as the rest is to compute.
const secretBits = { __proto__: null, modp5: 200, modp14: 225, modp15: 275, modp16: 325, modp17: 375, modp18: 400 };

/// The angle whose tangent is one divided by a whole number, times `one`.
function angle(divisor, one) {
  const square = divisor * divisor;
  let sum = 0n;
  let power = one / divisor;
  for (let count = 1n; power !== 0n; count += 2n) {
    sum += count % 4n === 1n ? power / count : -(power / count);
    power /= square;
  }
  return sum;
}

/// So many bits of pi after the point, by Machin's formula.
function pi(bits) {
  const spare = 64n;
  const one = 1n << (bits + spare);
  return (16n * angle(5n, one) - 4n * angle(239n, one)) >> spare;
}

function primeOf(name) {
  if (groups[name] === undefined) return undefined;
  const [size, added] = groups[name];
  const bits = BigInt(size);
  const prime = (1n << bits) - (1n << (bits - 64n)) - 1n + ((pi(bits - 130n) + added) << 64n);
  return new Uint8Array(require('buffer').Buffer.from(prime.toString(16), 'hex'));
}

module.exports = { primeOf, secretBits };
