// Timers of the same delay come in the order in which they were set, also when they are set by
// callbacks that are ordered. Its accesses are ordered.
'use strict';
const order = [];
setTimeout(() => {
  order.push('a');
  setTimeout(() => order.push('c'), 5);
}, 5);
setTimeout(() => {
  order.push('b');
  setTimeout(() => console.log(order.join('')), 5);
}, 5);
