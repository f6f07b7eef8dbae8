// A thousand intervals for `scripts/soak intervals`, on clocks and without, some of them exchanged all the time; and how
// late one of 20 ms is.
let count = 0;
let late = [];
const timers = [];
function make(number) {
  const period = 50 + (number % 100);
  timers[number] = number % 2 === 0
    ? setInterval(() => { count++; }, period)
    : setInterval(() => { count++; }, period, `clock-${number % 10}`);
}
for (let number = 0; number < 1000; number++) make(number);

let next = 0;
setInterval(() => {
  clearInterval(timers[next % timers.length]);
  make(next++ % timers.length);
  setTimeout(() => { count++; }, 5, `passing-${next}`);
}, 10);

let due = performance.now() + 20;
setInterval(() => {
  const now = performance.now();
  late.push(Math.max(0, now - due));
  due = Math.max(due + 20, now);
}, 20);

setInterval(() => {
  console.log(JSON.stringify({ late, count }));
  late = [];
  count = 0;
}, 250);
