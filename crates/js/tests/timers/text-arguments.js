// node: --timers node
// Under `--timers node` a text is an argument, and names no clock.
const told = [];
const tell = (name) => (...args) => told.push(`${name} ${JSON.stringify(args)}`);

setTimeout(tell('zero'), 0, 'text');
setTimeout(tell('negative'), -5, 'text', 2);
setTimeout(tell('not a number'), NaN, '');
setTimeout(tell('a clock of one name'), 1, 'text');
const interval = setInterval((...args) => {
  tell('interval')(...args);
  clearInterval(interval);
}, 1, 'text');
queueMicrotask(tell('microtask'));
process.nextTick(tell('tick'), 'text');
// All of them have a millisecond, and the order in which they were set.
setTimeout(() => console.log(told.join('\n')), 30, 'text');
console.log(setTimeout.length, setInterval.length, setTimeout.name, typeof setTimeout(() => {}, 1, 'text').ref);
