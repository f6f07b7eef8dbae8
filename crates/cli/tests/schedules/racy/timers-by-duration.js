// What is needed is prepared after 10 ms and used after 30 ms.
// Race: the long timer is set first, and time passes before the short one is set.
'use strict';
let engine = null;
setTimeout(() => engine.start(), 30);
setTimeout(() => {
  engine = { start() {} };
}, 10);
