// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 3: not a race, because ticks come before immediates: prints hello world.
// As printed:
var x = undefined;
setImmediate(function() {
console.log(x.f);
});
process.nextTick(function() {
x = { f: 'hello world' };
});
