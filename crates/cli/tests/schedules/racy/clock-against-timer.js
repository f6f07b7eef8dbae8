// A release on a logical clock and an unlabelled timer that should be earlier.
// Race: the timer counts from when it is set, and time may have passed by then.
'use strict';
let plan;
setTimeout(() => plan.push('done'), 10, 'A');
setTimeout(() => { plan = []; }, 5);
