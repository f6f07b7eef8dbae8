// TIME-3: a delay counts from the logical time of the domain, not from when it was said.
const { spend } = require('hemiola:clock');
setTimeout(() => {}, 1, 'A');
const start = currentTime('A');
const at = () => currentTime('A') - start;
setTimeout(function again() {
  spend(7);
  console.log(at());
  if (at() < 50) setTimeout(again, 10, 'A');
}, 10, 'A');
