// TIME-9, TIME-3: refresh is a new release of the same callback, at the clock's time plus its delay.
const show = (what) => console.log(what, currentTime('A') - start);
const pushed = setTimeout(() => show('pushed'), 10, 'A');
const start = currentTime('A');
setTimeout(() => pushed.refresh(), 5, 'A');
setTimeout(() => show('at 15, older than the refresh'), 15, 'A');
let count = 0;
const self = setTimeout(() => {
  show('in its own callback');
  if (++count < 3) self.refresh();
}, 20, 'A');
const interval = setInterval(() => {
  show('interval');
  if (currentTime('A') - start > 40) clearInterval(interval);
}, 12, 'A');
setTimeout(() => interval.refresh(), 18, 'A');
const gone = setTimeout(() => show('never'), 1, 'A');
clearTimeout(gone);
gone.refresh();
