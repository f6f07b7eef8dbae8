// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 5: which of the two files led to the error is what a debugger must tell. Here foo.txt is there
// and bar.txt is not: prints the data, then error.
// Stands in for the file system: the answer comes through the loop.
var fs = {
  answer(callback) {
    var channel = new MessageChannel();
    channel.port1.once('message', () => { channel.port1.close(); callback(); });
    channel.port2.postMessage(null);
  },
  readFile(file, callback) {
    this.answer(() => (file === 'foo.txt' ? callback(null, 'data') : callback(new Error('ENOENT'))));
  },
};
// As printed:
function tryReadFile(file) {

fs.readFile(file, function read1(err, data) {
if(err) /*reverse to here*/
setTimeout(function timeout1() {
console.error('error'); /*break*/
}, 100);
else
console.log(data);
});

}

tryReadFile('foo.txt');
tryReadFile('bar.txt');
