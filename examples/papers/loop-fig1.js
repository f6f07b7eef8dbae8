// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// Fig. 1: nextTick starves the callback of fs.write: "the code will never print 'done'".
// Never ends.
var fs = require('fs');
// As printed:
var cb = function() { process.nextTick(cb); }
fs.write(process.stdout.fd, 'hi', function() {
/*never printed*/
fs.writeSync(process.stdout.fd, 'done');
});
cb();
