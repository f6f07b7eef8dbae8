// TIME-2: another action has another origin, which is physical time and not the clock of who makes it.
const { spend } = require('hemiola:clock');
setTimeout(() => {
  const a = currentTime('A');
  spend(20);
  setTimeout(() => {
    const b = currentTime('B');
    console.log('B is ahead of A', b - a >= 20);
    setTimeout(() => console.log('C is not behind B', currentTime('C') >= b), 0, 'C');
  }, 0, 'B');
}, 1, 'A');
