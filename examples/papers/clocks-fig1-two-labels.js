// After Chadlia Jerad and Edward A. Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the
// Internet of Things, Fig. 1 with two labels, section I.D.
// The clock of the report is served before the clock that counts down, which has still to run then: always 2.
// Never ends: hemiola simulate --until 20s
let level = 0;
const raise = () => { level += 1; };
const lower = () => { level -= 2; };
const report = () => { console.log(level); };

setInterval(raise, 1000, 'A');
setInterval(lower, 2000, 'B');
setInterval(report, 4000, 'A');
