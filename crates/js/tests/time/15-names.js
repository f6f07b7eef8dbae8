// only: simulate
// TIME-15: every form of the globals; immediates and ticks have no label.
setTimeout((...args) => console.log('timeout', args), 1, 'A', 1, 2);
const interval = setInterval((...args) => { console.log('interval', args); clearInterval(interval); }, 2, 'A', { x: 1 });
setImmediate((...args) => console.log('immediate', args), 'B');
process.nextTick((...args) => console.log('tick', args), 'C');
console.log(currentTime('A') !== undefined, currentTime('B'), currentTime('C'));
