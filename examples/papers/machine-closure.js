// After Davide Ancona, Giorgio Delzanno, Luca Franceschini, Maurizio Leotta, Enrico Prampolini, Marina Ribaudo and
// Filippo Ricca, An Abstract Machine for Asynchronous Programs with Closures and Priority Queues, section 1.
// A tick and an immediate share a variable of the function that has returned; the tick comes first. Prints 10.
function start() {
  let shared = 5;
  process.nextTick(() => { shared = 10; });
  setImmediate(() => { console.log(shared); });
}
start();
