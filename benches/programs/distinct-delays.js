// 1e5 timers with distinct delays: set, then cleared in the order of setting; set again, then cleared in
// a random order.
const COUNT = 1e5;
const inOrder = Array.from({ length: COUNT }, (_, i) => i);
const atRandom = inOrder.slice();
let random = 99;
for (let i = COUNT - 1; i > 0; i--) {
  random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff;
  const other = random % (i + 1);
  [atRandom[i], atRandom[other]] = [atRandom[other], atRandom[i]];
}

function measure(order) {
  const timers = new Array(COUNT);
  const start = performance.now();
  for (let i = 0; i < COUNT; i++) timers[i] = setTimeout(() => {}, 100000 + i);
  const set = performance.now();
  for (const i of order) clearTimeout(timers[i]);
  return [set - start, performance.now() - set];
}

const [insert, clear] = measure(inOrder);
const [, clearAtRandom] = measure(atRandom);
console.log(JSON.stringify({
  insert: { ms: insert, ops: COUNT },
  'clear in order': { ms: clear, ops: COUNT },
  'clear at random': { ms: clearAtRandom, ops: COUNT },
}));
