// TIME-4: intervals and timeouts that meet at an instant are one action, in release order.
let sum = '';
const all = [
  setInterval(() => { sum += 'c'; }, 6, 'A'), setInterval(() => { sum += 'b'; }, 3, 'A'), setInterval(() => { sum += 'a'; }, 2, 'A'),
];
setTimeout(() => { sum += 't'; }, 6, 'A');
const watch = setInterval(() => {
  console.log(currentTime('A') - start, sum);
  sum = '';
}, 1, 'A');
const start = currentTime('A');
setTimeout(() => [...all, watch].forEach(clearInterval), 18, 'A');
