// TIME-3: an interval and a chain of timeouts stay together, however long their callbacks take.
const { spend } = require('hemiola:clock');
let seen = 0;
const interval = setInterval(() => { spend(1.7); console.log('interval', at()); }, 5, 'A');
const start = currentTime('A');
const at = () => currentTime('A') - start;
setTimeout(function chain() {
  console.log('chain', at());
  if (++seen < 8) setTimeout(chain, 5, 'A');
  else clearInterval(interval);
}, 5, 'A');
