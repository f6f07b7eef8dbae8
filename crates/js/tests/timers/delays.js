// What becomes of delays that are none, and what is said about it.
process.on('warning', (warning) => console.log(warning.name, JSON.stringify(warning.message), warning.code));
for (const delay of [undefined, null, true, '7', [5], {}, { valueOf: () => 3 }, NaN, -5, 0, 2147483647, -Infinity]) {
  const timer = setTimeout(() => {}, delay);
  console.log(timer._idleTimeout, timer._repeat);
  clearTimeout(timer);
  clearInterval(setInterval(() => {}, delay));
}
for (const delay of [2147483648, Infinity, 1e300]) clearTimeout(setTimeout(() => {}, delay));
for (const delay of [10n, Symbol('x'), { valueOf() { throw new Error('mine'); } }]) {
  for (const set of [setTimeout, setInterval]) {
    try {
      set(() => {}, delay);
    } catch (error) {
      console.log(error.name, error.message);
    }
  }
}
for (const callback of [undefined, 'x', null, {}]) {
  for (const set of [setTimeout, setInterval, setImmediate]) {
    try {
      set(callback);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
}
setTimeout((...args) => {
  console.log(args);
  setImmediate((...args) => console.log(args), 'a', 2);
  setTimeout((...args) => console.log(args), 1);
}, 1, {}, 2, undefined);
