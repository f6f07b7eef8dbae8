// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 2: "in Node.js this recurses indefinitely in rec and never prints 42".
// Never ends.
// As printed:
var p = Promise.resolve(42).then( function(v) {
console.log(v);
});
function rec(){ process.nextTick(rec); }
rec()
