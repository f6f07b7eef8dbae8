// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// Fig. 2: setImmediate is fair: 'done' is printed "in the first iteration of the event loop".
// Never ends.
var fs = require('fs');
// As printed:
var cb = function() { setImmediate(cb); };
fs.write(process.stdout.fd, 'hi', function() {
/*printed in finite time*/
fs.writeSync(process.stdout.fd, 'done');
});
cb();
