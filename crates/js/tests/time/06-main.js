// TIME-6: in the main program releases without delay are one action, at the origin.
const log = (what) => console.log(what);
setTimeout(() => log('A first'), 0, 'A');
setTimeout(() => log('B'), 0, 'B');
setTimeout(() => { log('A second'); setTimeout(() => log('A, microstep'), 0, 'A'); }, 0, 'A');
process.nextTick(() => setTimeout(() => log('A third, from the tail'), 0, 'A'));
setTimeout(() => log('A at 1'), 1, 'A');
