// TIME-6: a release without delay is the next microstep: after the tail, before any younger domain.
let depth = 0;
setTimeout(function step() {
  console.log('step', depth, currentTime('A') - start);
  Promise.resolve().then(() => console.log('tail of', depth - 1));
  if (depth++ < 4) setTimeout(step, 0, 'A');
}, 10, 'A');
const start = currentTime('A');
setTimeout(() => console.log('same action'), 10, 'A');
setTimeout(() => console.log('younger'), 10, 'B');
setTimeout(() => console.log('later'), 11, 'A');
