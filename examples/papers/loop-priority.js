// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, section 6.
// A reading of low priority, and somebody of high priority who waits for it: whose priority does the callback have?
// The third argument says it in the paper, and says nothing here. Prints the data.
// In place of the file system: the answer comes through the loop.
function answer(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.once('message', () => {
    port1.close();
    callback();
  });
  port2.postMessage(null);
}
const fs = { readFile: (file, callback) => answer(() => callback(null, 'data')) };

const reading = new Promise((resolve) => {
  fs.readFile('foo.txt', (error, data) => resolve(data), 'low');
});

// By its link the callback is of high priority, by its cause of low.
reading.then((data) => console.log(data));
