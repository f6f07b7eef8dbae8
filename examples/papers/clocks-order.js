// After Chadlia Jerad and Edward A. Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the
// Internet of Things, section VI.
// Delays count from the time of the clock, so F comes first and G one unit later, however long these lines take.
const clock = 'A';
setTimeout(() => {}, 1, clock);
const begin = currentTime(clock);
const tell = (name) => () => console.log(name, currentTime(clock) - begin);

setTimeout(tell('F'), 3, clock);
setTimeout(tell('G'), 4, clock);
