// TIME-8: a program that is always behind keeps the order of its actions, and still serves the rest:
// one labelled action for each turn of the loop.
const { spend } = require('hemiola:clock');
for (const label of ['A', 'B']) {
  const interval = setInterval(() => {
    spend(20);
    console.log(label, currentTime(label) - start);
    setImmediate(() => console.log('immediate of', label, currentTime(label) - start));
    if (currentTime(label) - start === 12) clearInterval(interval);
  }, 4, label);
}
setTimeout(() => {}, 100, 'A');
setTimeout(() => {}, 100, 'B');
const start = currentTime('A');
setTimeout(() => spend(50), 1, 'A');
