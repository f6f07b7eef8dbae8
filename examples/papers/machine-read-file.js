// After Davide Ancona, Giorgio Delzanno, Luca Franceschini, Maurizio Leotta, Enrico Prampolini, Marina Ribaudo and
// Filippo Ricca, An Abstract Machine for Asynchronous Programs with Closures and Priority Queues, section 1.
// A callback waits until the program has come to its end: ok is printed before the data.
// In place of the file system: the answer comes through the loop.
function answer(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.once('message', () => {
    port1.close();
    callback();
  });
  port2.postMessage(null);
}
const fs = { readFile: (file, callback) => answer(() => callback(null, `the data of ${file}`)) };

fs.readFile('abc.txt', (error, data) => {
  if (!error) console.log(data);
});
console.log('ok');
