// TIME-11: a function that waits for two clocks in turn counts for the one that it began in; the other lives
// for its own callbacks.
const used = (when) => console.log(when, ['A', 'B'].map((label) => currentTime(label) !== undefined));
const on = (label, ms) => new Promise((yes) => setTimeout(yes, ms, label));
setTimeout(async () => {
  used('began');
  await on('B', 10);
  used('let go by B');
  setImmediate(() => used('linked from there'));
  await on('A', 30);
  used('let go by A');
  await Promise.all([on('B', 5), on('A', 5)]);
  used('let go by both');
  setImmediate(() => used('linked from the end'));
}, 5, 'A');
// Attached in an action of either clock, to the same promise.
let open;
const gate = new Promise((yes) => { open = yes; });
setTimeout(() => gate.then(() => setImmediate(() => {
  console.log('for D', ['D', 'E'].map((label) => currentTime(label) !== undefined));
})), 1, 'D');
setTimeout(async () => {
  await gate;
  console.log('for E', ['D', 'E'].map((label) => currentTime(label) !== undefined));
}, 2, 'E');
setTimeout(() => open(), 4, 'C');
