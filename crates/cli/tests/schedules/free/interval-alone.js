// The rounds of one interval come one after the other. Its accesses are ordered.
'use strict';
let rounds = 0;
const timer = setInterval(() => {
  if (++rounds === 3) {
    clearInterval(timer);
    console.log(rounds);
  }
}, 10);
