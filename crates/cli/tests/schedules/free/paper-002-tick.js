// The example of the paper on the semantics of the event loop: no race, for ticks come before
// immediates. Its accesses are ordered.
'use strict';
let x;
setImmediate(() => console.log(x.f));
process.nextTick(() => {
  x = { f: 'hello world' };
});
