// node:timers has Node's meaning whatever the globals mean.
const timers = require('node:timers');
console.log(timers === require('timers'), timers.promises === require('timers/promises'));
timers.setTimeout((...args) => console.log(args), 1, 'A');
const interval = timers.setInterval((...args) => { console.log(args); timers.clearInterval(interval); }, 10, 'A');
timers.clearTimeout(timers.setTimeout(() => console.log('never'), 1, 'A'));
timers.setImmediate((...args) => console.log(args), 'A');
