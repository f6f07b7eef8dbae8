// TIME-11: a label is in use while something is outstanding, and is collected after the tail.
const used = (when) => console.log(when, currentTime('A') !== undefined);
used('at first');
setTimeout(() => {
  used('action');
  process.nextTick(() => used('tick'));
  Promise.resolve().then(() => used('job'));
}, 5, 'A');
used('released');
setTimeout(() => used('another clock, later'), 10, 'B');
clearTimeout(setTimeout(() => {}, 5, 'C'));
console.log('cleared, same action', currentTime('C') !== undefined);
setTimeout(() => console.log('cleared, later', currentTime('C') !== undefined), 1, 'B');
