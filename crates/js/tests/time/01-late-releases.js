// TIME-1: a domain that is made later is younger, even if its callbacks were due long ago.
const { spend } = require('hemiola:clock');
setTimeout(() => {
  spend(30);
  for (const label of ['C', 'B']) setTimeout(() => console.log(label), 0, label);
}, 1, 'A');
for (const at of [5, 10, 15, 20, 25]) setTimeout(() => console.log('A', at), at, 'A');
