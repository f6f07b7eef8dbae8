// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, section 5.
// Two files are read by the same function, and one of them is not there. When the error shows, nothing on the stack
// says which: a debugger has to go back to the reading. Prints the data, then error.
// In place of the file system: the answer comes through the loop.
function answer(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.once('message', () => {
    port1.close();
    callback();
  });
  port2.postMessage(null);
}
const disk = { 'foo.txt': 'data' };
const fs = {
  readFile: (file, callback) => answer(() => (file in disk ? callback(null, disk[file]) : callback(new Error('ENOENT')))),
};

function load(file) {
  fs.readFile(file, function loaded(error, data) {
    if (!error) {
      console.log(data);
      return;
    }
    // Back to here,
    setTimeout(function complain() {
      // from here.
      console.error('error');
    }, 100);
  });
}

load('foo.txt');
load('bar.txt');
