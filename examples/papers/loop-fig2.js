// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, Fig. 2.
// The same with setImmediate, which lets the loop go round: the callback runs in the first round.
// Never ends, and prints hi and done.
const fs = require('fs');
const { fd } = process.stdout;

function again() { setImmediate(again); }
fs.write(fd, 'hi', () => fs.writeSync(fd, 'done'));
again();
