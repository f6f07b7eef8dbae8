// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// Fig. 2: setImmediate is fair: 'done' is printed "in the first iteration of the event loop".
// Never ends.
// Stands in for the file system: the answer comes through the loop.
var fs = {
  answer(callback) {
    var channel = new MessageChannel();
    channel.port1.once('message', () => { channel.port1.close(); callback(); });
    channel.port2.postMessage(null);
  },
  write(fd, text, callback) { process.stdout.write(text); this.answer(callback); },
  writeSync(fd, text) { process.stdout.write(text); },
};
// As printed:
var cb = function() { setImmediate(cb); };
fs.write(process.stdout.fd, 'hi', function() {
/*printed in finite time*/
fs.writeSync(process.stdout.fd, 'done');
});
cb();
