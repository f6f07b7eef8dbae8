// A timer that is set later and waits longer comes later. Its accesses are ordered.
'use strict';
let engine = null;
setTimeout(() => { engine = { start: () => console.log('started') }; }, 10);
setTimeout(() => engine.start(), 30);
