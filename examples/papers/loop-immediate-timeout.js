// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 2: "in the Node.js implementation the timeout will at some point be scheduled and f will run".
// Never ends.
function f() { console.log('f'); }
// As printed:
function rec() { setImmediate(rec); }
setImmediate(rec);
setTimeout(f,0);
