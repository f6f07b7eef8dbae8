// TIME-1, TIME-6: time, then domain, then microstep, then release.
const log = (what) => console.log(what);
setTimeout(() => {
  log('A 10');
  setTimeout(() => log('A 10, next microstep, first'), 0, 'A');
  setTimeout(() => log('A 10, next microstep, second'), 0, 'A');
  setTimeout(() => log('A 11'), 1, 'A');
}, 10, 'A');
setTimeout(() => log('B 10'), 10, 'B');
setTimeout(() => log('B 11'), 11, 'B');
setTimeout(() => log('A 10 again'), 10, 'A');
