// As timers-million.js, with a closure for each timer, as programs mostly have it.
const COUNT = 1e6;
let random = 12345;
const draw = () => (random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff) % 100;
const fired = new Int32Array(COUNT);
const delays = new Uint8Array(COUNT);
for (let i = 0; i < COUNT; i++) delays[i] = draw();
let count = 0;
const start = performance.now();
for (let i = 0; i < COUNT; i++) {
  setTimeout(() => {
    fired[count++] = i;
    if (count === COUNT) finish();
  }, delays[i]);
}

function finish() {
  const ms = performance.now() - start;
  // Timers of one delay must keep their order; that is what every runtime promises.
  const last = new Int32Array(100).fill(-1);
  let inOrder = true;
  for (let at = 0; at < COUNT; at++) {
    const delay = delays[fired[at]];
    if (last[delay] > fired[at]) inOrder = false;
    last[delay] = fired[at];
  }
  console.log(JSON.stringify({ ms, ops: COUNT, ok: inOrder }));
}
