// The example of the paper on the semantics of the event loop, with a timer that reads and an
// immediate that writes.
// Race: whether the millisecond of a zero timeout has passed when the loop begins is open, so either
// may come first.
'use strict';
let x;
setTimeout(() => console.log(x.f), 0);
setImmediate(() => {
  x = { f: 'hello world' };
});
