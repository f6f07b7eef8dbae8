// 1e5 timers with distinct delays: set, then half of them cleared in the order of setting, the other
// half in a random order.
const COUNT = 1e5;
const order = Array.from({ length: COUNT }, (_, i) => i);
let random = 99;
for (let i = COUNT - 1; i > 0; i--) {
  random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff;
  const other = random % (i + 1);
  [order[i], order[other]] = [order[other], order[i]];
}
const timers = new Array(COUNT);
const start = performance.now();
for (let i = 0; i < COUNT; i++) timers[i] = setTimeout(() => {}, 100000 + i);
const inserted = performance.now();
for (let i = 0; i < COUNT / 2; i++) clearTimeout(timers[i]);
const inOrder = performance.now();
const rest = order.filter((i) => i >= COUNT / 2);
const between = performance.now();
for (const i of rest) clearTimeout(timers[i]);
const end = performance.now();
console.log(JSON.stringify({
  insert: { ms: inserted - start, ops: COUNT },
  'clear in order': { ms: inOrder - inserted, ops: COUNT / 2 },
  'clear at random': { ms: end - between, ops: COUNT / 2 },
}));
