// After Chadlia Jerad and Edward A. Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the
// Internet of Things, Fig. 1.
// Two up in the time of one down: whoever looks every fourth second should find 0. Without labels nothing says so:
// when callbacks are late, -1 and 1 are seen as well. In virtual time none is late, and it is 0.
// Never ends: hemiola simulate --until 20s
let level = 0;
const raise = () => { level += 1; };
const lower = () => { level -= 2; };
const report = () => { console.log(level); };

setInterval(raise, 1000);
setInterval(lower, 2000);
setInterval(report, 4000);
