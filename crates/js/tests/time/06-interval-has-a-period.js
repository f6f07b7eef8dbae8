// TIME-6, TIME-12: an interval without a period has one of a unit: it is no endless microstep.
let seen = 0;
const zero = setInterval(() => {
  console.log(currentTime('A') - start);
  if (++seen === 3) clearInterval(zero);
}, 0, 'A');
const start = currentTime('A');
