// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, section 4.1.
// The program registers show, and release makes it able to run: the link is to the one, the cause is the other.
// The promise can be resolved from outside. Prints hi.
const { promise, resolve } = Promise.withResolvers();
function show(value) { console.log(value); }
promise.then(show);

function release() { resolve('hi'); }
setImmediate(release);
