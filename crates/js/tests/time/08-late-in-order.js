// TIME-8: everything is due when the loop first looks: the key decides, not who was released first.
const { spend } = require('hemiola:clock');
for (const at of [9, 3, 7, 1, 5]) {
  setTimeout(() => console.log('B', at), at, 'B');
  setTimeout(() => console.log('A', at), at, 'A');
}
spend(30);
