// only: simulate
// TIME-12: nothing wraps at 2^31, and sums stop at the end of time, which never comes.
const day = 86400e3;
for (const days of [1, 25, 365, 36500]) setTimeout(() => console.log(days, currentTime('A') / day), days * day, 'A');
setTimeout(() => console.log('2^31', currentTime('A') - 2 ** 31), 2 ** 31, 'A');
setTimeout(() => console.log('2^32 + 5', currentTime('A') - 2 ** 32), 2 ** 32 + 5, 'A');
setTimeout(() => console.log('never'), 1e300, 'A').unref();
setTimeout(() => console.log('never'), Number.MAX_SAFE_INTEGER * 4, 'A').unref();
