// TIME-10: a callback that throws does not cut its action; a periodic one stays.
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
let times = 0;
const interval = setInterval(() => {
  if (++times === 3) clearInterval(interval);
  throw new Error(`interval ${times}`);
}, 10, 'A');
setTimeout(() => {
  process.nextTick(() => console.log('tick of one that throws'));
  throw new Error('timeout');
}, 10, 'A');
setTimeout(() => console.log('the rest of the action'), 10, 'A');
setTimeout(() => console.log('the next action'), 11, 'A');
