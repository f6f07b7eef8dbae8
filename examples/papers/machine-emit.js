// After Davide Ancona, Giorgio Delzanno, Luca Franceschini, Maurizio Leotta, Enrico Prampolini, Marina Ribaudo and
// Filippo Ricca, An Abstract Machine for Asynchronous Programs with Closures and Priority Queues, section 1.
// Listeners run within emit: ok is there before the loop that never ends.
const { EventEmitter } = require('events');
const source = new EventEmitter();
const listener = () => console.log('ok');

source.on('ready', listener);
source.emit('ready');
while (true);
