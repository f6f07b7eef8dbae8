// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, section 2.
// Immediates without end do not keep a timer from running.
// Never ends.
function timer() { console.log('f'); }
function again() { setImmediate(again); }

setImmediate(again);
setTimeout(timer, 0);
