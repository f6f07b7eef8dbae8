// Ancona et al., An Abstract Machine for Asynchronous Programs with Closures and Priority Queues,
// section 1: the callback prints the data "but only after string ok".
// Stands in for the file system: the answer comes through the loop.
var require = () => ({
  readFile(file, callback) {
    var channel = new MessageChannel();
    channel.port1.once('message', () => { channel.port1.close(); callback(null, 'the data of ' + file); });
    channel.port2.postMessage(null);
  },
});
// As printed:
var fs = require('fs');
fs.readFile('abc.txt',function(err,data){err||console.log(data)});
console.log('ok');
