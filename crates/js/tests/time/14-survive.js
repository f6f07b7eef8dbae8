// only: simulate
// TIME-14, TIME-11: policy and handlers hold for the label's next domain, until the clock is closed.
const { clock, spend } = require('hemiola:clock');
const a = clock('A');
a.policy('skip');
a.deadline(5, (lag) => console.log('late by', lag));
function ticks() {
  let count = 0;
  const interval = a.setInterval(() => {
    console.log('tick', a.now());
    if (++count === 1) spend(23);
    else clearInterval(interval);
  }, 10);
  a.setTimeout(() => console.log('once', a.now()), 15);
}
ticks();
setTimeout(() => { console.log('idle', a.now(), a.policy()); ticks(); }, 1000);
setTimeout(() => { console.log('skipped', a.skipped()); a.close(); console.log(a.skipped(), a.policy()); }, 2000);
setTimeout(() => { const b = clock('A'); b.setTimeout(() => spend(20), 1); b.setTimeout(() => console.log('nobody is told'), 2); }, 3000);
