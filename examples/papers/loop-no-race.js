// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, section 3.
// No race, although the immediate reads what the tick writes: ticks always come first. Prints hello world.
let shared;
setImmediate(() => {
  console.log(shared.text);
});
process.nextTick(() => {
  shared = { text: 'hello world' };
});
