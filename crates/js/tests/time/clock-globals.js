// A clock and the globals with its label are the same domain.
const { clock } = require('hemiola:clock');
const a = clock('A');
a.setTimeout((...args) => console.log('through the clock', args), 10, 1, 2);
setTimeout((...args) => console.log('through the global', args), 10, 'A', 1);
const cleared = a.setTimeout(() => console.log('never'), 10);
clearTimeout(cleared);
const other = setTimeout(() => console.log('never'), 10, 'A');
a.clearTimeout(other);
const interval = a.setInterval((...args) => { console.log('interval', args); a.clearInterval(interval); }, 10, 'x');
console.log(a.now() === currentTime('A'), clock('__proto__').now(), clock('B').lag());
