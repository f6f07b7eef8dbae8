// TIME-2: all labelled domains that an action makes share one origin, however long it takes.
const { spend } = require('hemiola:clock');
setTimeout(() => {}, 1, 'A');
spend(5);
setTimeout(() => {}, 1, 'B');
process.nextTick(() => {
  spend(5);
  setTimeout(() => {}, 1, 'C');
});
Promise.resolve().then(() => {
  spend(5);
  setTimeout(() => {}, 1, 'D');
  const [a, ...others] = ['A', 'B', 'C', 'D'].map((label) => currentTime(label));
  console.log(others.map((time) => time - a));
});
