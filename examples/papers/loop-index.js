// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 4.1: the two invocations of f print "hi" and then "bye".
// As printed:
let ctr = 0;
function f() { console.log(ctr++ === 0 ? 'hi' : 'bye'); }
setTimeout(f, 10);
setTimeout(f, 20);
