// An interval of 10 ms for five seconds while work that never ends wants the loop: twenty pieces of it, of 1 to
// 20 ms each. Prints by how much firings were late, and what share of the time the work got. Where
// `hemiola:tasks` is there, the work says that it can wait.
const LENGTH = 5000;
const PERIOD = 10;
let later = setImmediate;
try {
  const { runBackground } = require('hemiola:tasks');
  later = (work) => runBackground(work, 600_000);
} catch {}

let working = 0;
let isOver = false;
function spend(ms) {
  const start = performance.now();
  while (performance.now() - start < ms);
  working += performance.now() - start;
}
for (let ms = 1; ms <= 20; ++ms) {
  // A piece of code each, as in a program that has different things to do.
  const piece = new Function('spend', 'later', 'isOver', `return function piece() { spend(${ms}); if (!isOver()) later(piece); }`);
  later(piece(spend, later, () => isOver));
}

const late = [];
const start = performance.now();
let due;
const interval = setInterval(() => {
  const now = performance.now();
  // Node counts from when the last one ran, a clock from when it was due: each is held to its own word.
  if (due !== undefined) late.push(Math.max(0, now - due));
  due = (typeof currentTime === 'function' ? due ?? now : now) + PERIOD;
  if (now - start < LENGTH) return;
  clearInterval(interval);
  isOver = true;
  late.sort((a, b) => a - b);
  const at = (share) => late[Math.floor(late.length * share)];
  console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99), max: late.at(-1), share: working / (now - start) }));
}, PERIOD, 'control');
