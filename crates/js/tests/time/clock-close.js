// close: what was released through it is cleared, sleeps are aborted, tickers end; others are left alone.
const { clock } = require('hemiola:clock');
const a = clock('A');
const other = clock('A');
a.setTimeout(() => console.log('never'), 20);
a.setInterval(() => console.log('never'), 20);
for (let i = 0; i < 200; i++) a.setTimeout(() => {}, 1);
other.setTimeout(() => console.log('released through another'), 20);
setTimeout(() => console.log('released by label'), 20, 'A');
(async () => {
  try {
    await a.sleep(20);
  } catch (error) {
    console.log(error.name, error.code, error.message, error.cause);
  }
})();
(async () => {
  let count = 0;
  for await (const time of a.ticks(4)) count++;
  console.log('ticker ended after', count);
})();
other.setTimeout(() => {
  a.close();
  a.close();
  a[Symbol.dispose]();
  for (const use of [() => a.setTimeout(() => {}, 1), () => a.setInterval(() => {}, 1), () => a.ticks(1), () => a.policy('skip'), () => a.deadline(1, () => {})]) {
    try {
      use();
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  a.sleep(1).catch((error) => console.log(error.code));
  console.log(a.label, typeof a.now(), a.skipped(), a.policy());
}, 10);
