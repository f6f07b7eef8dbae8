// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, section 2.
// Ticks without end come before the callbacks of promises in Node: nothing is printed.
// Never ends.
function again() { process.nextTick(again); }

Promise.resolve(42).then((number) => console.log(number));
again();
