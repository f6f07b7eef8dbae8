// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// Fig. 1: nextTick starves the callback of fs.write: "the code will never print 'done'".
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
var cb = function() { process.nextTick(cb); }
fs.write(process.stdout.fd, 'hi', function() {
/*never printed*/
fs.writeSync(process.stdout.fd, 'done');
});
cb();
