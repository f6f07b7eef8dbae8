// After Davide Ancona, Giorgio Delzanno, Luca Franceschini, Maurizio Leotta, Enrico Prampolini, Marina Ribaudo and
// Filippo Ricca, An Abstract Machine for Asynchronous Programs with Closures and Priority Queues, section 1, the second version.
// The listener leaves the message to an immediate, and after the loop that never ends there is none.
const { EventEmitter } = require('events');
const source = new EventEmitter();
const listener = () => console.log('ok');

source.on('ready', () => setImmediate(listener));
source.emit('ready');
while (true);
