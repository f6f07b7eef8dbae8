// After Chadlia Jerad and Edward A. Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the
// Internet of Things, Fig. 1 with the labels of section I.D.
// All three are on one clock, which is at a multiple of four seconds for all of them or for none: always 0.
// Never ends: hemiola simulate --until 20s
let level = 0;
const raise = () => { level += 1; };
const lower = () => { level -= 2; };
const report = () => { console.log(level); };

setInterval(raise, 1000, 'A');
setInterval(lower, 2000, 'A');
setInterval(report, 4000, 'A');
