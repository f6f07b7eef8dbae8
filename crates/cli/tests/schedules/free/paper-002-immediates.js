// The variant of the paper's example in which both are immediates, as it is really scheduled: they run
// in the order in which they were set. Its accesses are ordered.
'use strict';
let x;
setImmediate(() => {
  x = { f: 'hello world' };
});
setImmediate(() => console.log(x.f));
