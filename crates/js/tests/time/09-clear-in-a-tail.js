// TIME-9: a tail may clear the next period, and a microstep that waits.
const log = (what) => console.log(what);
let times = 0;
const interval = setInterval(() => {
  log(`interval ${++times}`);
  const microstep = setTimeout(() => log('never'), 0, 'A');
  process.nextTick(() => clearTimeout(microstep));
  if (times === 3) Promise.resolve().then(() => clearInterval(interval));
}, 5, 'A');
