// Five seconds of nothing but a timer each second: the runner reads the processor time.
let left = 5;
const interval = setInterval(() => { if (--left === 0) clearInterval(interval); }, 1000);
