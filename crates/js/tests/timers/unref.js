// What does not keep the program alive, and what runs all the same.
const { setTimeout: sleep, setImmediate: soon } = require('timers/promises');

console.log(setTimeout(() => console.log('never'), 500).unref().hasRef());
const timer = setTimeout(() => console.log('kept'), 20);
console.log(timer.unref() === timer, timer.ref() === timer, timer.hasRef());
setInterval(() => console.log('never'), 1000).unref();
sleep(1000, 0, { ref: false }).then(() => console.log('never'));
soon(0, { ref: false }).then(() => console.log('runs: something else is alive'));
const immediate = setImmediate(() => console.log('runs too', immediate.hasRef()));
console.log(immediate.hasRef(), immediate.unref() === immediate, immediate.hasRef(), immediate.ref().hasRef());
immediate.unref().unref();
const cleared = setImmediate(() => console.log('never'));
clearImmediate(cleared);
console.log(cleared.hasRef(), cleared.ref().hasRef());
