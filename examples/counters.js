// Three callbacks that share one logical clock. At every fourth second all three run in one atomic action,
// in the order in which they were released, however late the machine is: the observer only ever sees 0.
// Give the second another clock, 'B', and it always sees 2. Without labels there is no telling.
let x = 0;
setInterval(function increment() { x += 1; }, 1000, 'A');
setInterval(function decrement() { x -= 2; }, 2000, 'A');
setInterval(function observe() { console.log(x, 'at', currentTime('A')); }, 4000, 'A');
