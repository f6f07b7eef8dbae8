// TIME-11: an idle hour is not replayed: the label's next use is a new domain with a new origin.
const { spend } = require('hemiola:clock');
setTimeout(() => {}, 1, 'A');
const first = currentTime('A');
setTimeout(() => {
  spend(40);
  let count = 0;
  const interval = setInterval(() => {
    console.log('tick', currentTime('A') - second);
    if (++count === 3) clearInterval(interval);
  }, 5, 'A');
  const second = currentTime('A');
  console.log('a new origin', second - first >= 40);
}, 10, 'B');
