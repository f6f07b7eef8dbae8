// TIME-12: a clock may count in microseconds; delays are then whole numbers of those.
const { clock } = require('hemiola:clock');
const fine = clock('fine', { unit: 'us' });
const show = (what) => console.log(what, Math.round((fine.now() - start) * 1000));
fine.setTimeout(() => show('7 us'), 7.9);
const start = fine.now();
setTimeout(() => show('1500 us'), 1500, 'fine');
fine.setTimeout(() => show('none'), 0.9);
let seen = 0;
const interval = fine.setInterval(() => { show('interval'); if (++seen === 3) clearInterval(interval); }, 0);
console.log(fine.unit, clock('fine').unit, clock('other').unit);
for (const options of [{ unit: 'ms' }, { unit: 's' }, null]) {
  try {
    clock('fine', options);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
