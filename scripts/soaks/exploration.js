// A program with far more schedules than there is time for, for `scripts/soak exploration`.
const fs = require('fs');

let sum = 0;
for (let number = 0; number < 6; number++) {
  setTimeout(() => { sum = sum * 3 + number; }, number % 2, `clock-${number % 3}`);
  fs.readFile(__filename, () => { sum ^= number; });
  Promise.resolve(number).then((value) => { sum += value; });
}
setImmediate(() => console.log(sum % 7));
