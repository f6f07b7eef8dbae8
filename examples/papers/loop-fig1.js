// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, Fig. 1.
// A tick that asks for the next one keeps the loop from ever coming to the callback of a write.
// Never ends, and prints hi but not done.
const fs = require('fs');
const { fd } = process.stdout;

function again() { process.nextTick(again); }
fs.write(fd, 'hi', () => fs.writeSync(fd, 'done'));
again();
