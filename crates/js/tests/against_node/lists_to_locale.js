// Arrays give the locales and options of toLocaleString to their elements.
const options = { minimumFractionDigits: 2 };
const show = (make) => {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name);
  }
};
show(() => [0, 1.5, null, undefined, 'a', 1234.5].toLocaleString('en', options));
show(() => [1234.5, [1, [2]], 5n].toLocaleString('en', options));
show(() => [, 1, , 2].toLocaleString('en', options));
show(() => [].toLocaleString('en'));
show(() => [1234.5].toLocaleString());
show(() => [new Date(0)].toLocaleString('en', { timeZone: 'UTC', year: 'numeric' }));
show(() => [{ toLocaleString: (...args) => JSON.stringify(args) }].toLocaleString('en', options));
show(() => new Float64Array([0, 1234.5, NaN]).toLocaleString('en', options));
show(() => new BigInt64Array([1234567n]).toLocaleString('en', options));
show(() => new Uint8Array(0).toLocaleString('en', options));
show(() => Array.prototype.toLocaleString.call({ length: 2.9, 0: 1, 1: 2, 2: 3 }, 'en', options));
show(() => Array.prototype.toLocaleString.call({ length: -1, 0: 1 }, 'en', options));
show(() => Array.prototype.toLocaleString.call('ab', 'en', options));
show(() => Array.prototype.toLocaleString.call(null, 'en', options));
show(() => Object.getPrototypeOf(Int8Array.prototype).toLocaleString.call([1], 'en', options));
show(() => [1].toLocaleString('en', { style: 'none' }));
show(() => [Object.create(null)].toLocaleString('en'));
const round = [1];
round.push(round, 2);
show(() => round.toLocaleString('en', options));
for (const prototype of [Array.prototype, Object.getPrototypeOf(Int8Array.prototype)]) {
  const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(prototype, 'toLocaleString');
  console.log(value.name, value.length, writable, enumerable, configurable, 'prototype' in value);
}
