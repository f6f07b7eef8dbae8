// A million one-shot timers with random delays of 0 to 99 ms, all set in one turn, with one function
// for all: timers are measured, not closures. That timers of one delay fire in the order in which they
// were set is checked.
const COUNT = 1e6;
let random = 12345;
const draw = () => (random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff) % 100;
const delays = new Uint8Array(COUNT);
for (let i = 0; i < COUNT; i++) delays[i] = draw();
const fired = new Int32Array(COUNT);
let count = 0;

function fire(index) {
  fired[count++] = index;
  if (count === COUNT) finish();
}

const start = performance.now();
for (let i = 0; i < COUNT; i++) setTimeout(fire, delays[i], i);

function finish() {
  const ms = performance.now() - start;
  const last = new Int32Array(100).fill(-1);
  let ok = true;
  for (let at = 0; at < COUNT; at++) {
    const delay = delays[fired[at]];
    if (last[delay] > fired[at]) ok = false;
    last[delay] = fired[at];
  }
  console.log(JSON.stringify({ ms, ops: COUNT, ok }));
}
