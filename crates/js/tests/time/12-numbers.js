// TIME-12: a delay is a whole number of milliseconds, truncated; what is no delay is none.
const text = (delay) => (typeof delay === 'object' && delay !== null ? 'object' : String(delay));
const shown = [];
setTimeout(() => {}, 1, 'A');
const start = currentTime('A');
for (const delay of [3.999, 2.5, NaN, -1, -Infinity, 0, -0, undefined, null, '4', 'x', true, [5], {}, { valueOf: () => 6 }]) {
  setTimeout(() => shown.push(`${text(delay)}: ${currentTime('A') - start}`), delay, 'A');
}
for (const delay of [Infinity, 10n, Symbol('s'), { valueOf() { throw new Error('mine'); } }]) {
  for (const set of [setTimeout, setInterval]) {
    try {
      set(() => {}, delay, 'A');
    } catch (error) {
      console.log(text(delay), error.name, error.code, error.message);
    }
  }
}
setTimeout(() => console.log(shown.join('\n')), 10, 'A');
