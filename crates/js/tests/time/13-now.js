// TIME-13: the time of a label is constant during an action, undefined when not in use; physical time is live.
const { spend } = require('hemiola:clock');
console.log(currentTime('A'), currentTime('__proto__'), currentTime(''));
setTimeout(() => {
  const [a, physical] = [currentTime('A'), currentTime()];
  spend(3);
  console.log(currentTime('A') - a, currentTime() - physical >= 3);
  process.nextTick(() => console.log(currentTime('A') - a));
  queueMicrotask(() => { spend(3); console.log(currentTime('A') - a, typeof currentTime()); });
}, 5, 'A');
console.log(typeof currentTime('A'), typeof currentTime(), Number.isInteger(currentTime('A')));
