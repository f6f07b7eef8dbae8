// only: simulate
// exit: 3
// TIME-14: a handler may clear what is late, throw, remove itself, or end the program.
const { clock, spend } = require('hemiola:clock');
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
process.on('exit', (code) => console.log('exit', code));
const a = clock('A');
const first = a.deadline(1, () => { console.log('told'); first.remove(); throw new Error('handler'); });
a.deadline(1, () => { clearTimeout(late); });
const late = a.setTimeout(() => console.log('never'), 10);
a.setTimeout(() => {
  console.log('on it goes');
  a.deadline(1, () => { console.log('enough'); process.exit(3); });
}, 11);
a.setTimeout(() => console.log('never'), 12);
spend(20);
