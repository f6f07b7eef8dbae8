// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 6: whose priority does the callback of then inherit? Here there are none yet: prints the data.
// Stands in for the file system: the answer comes through the loop.
var fs = {
  answer(callback) {
    var channel = new MessageChannel();
    channel.port1.once('message', () => { channel.port1.close(); callback(); });
    channel.port2.postMessage(null);
  },
  readFile(file, callback) { this.answer(() => callback(null, 'data')); },
};
// As printed:
let p = new Promise((resolve, reject) => {
//Low priority promiseified file read
fs.readFile('foo.txt', function(err, data) {
resolve(data);
}, 'low');
});

//Inherit from link parent (high) or from causal parent (low)?
p.then((data) => { console.log(data); });
