// Ancona et al., An Abstract Machine for Asynchronous Programs with Closures and Priority Queues,
// section 1: emit is synchronous: "the message ok is printed before the program enters an infinite loop".
// Never ends.
// As printed:
var EventEmitter = require('events');
var Emitter = new EventEmitter();
var msg = function msg() { console.log('ok'); }
Emitter.on('evt1', msg);
Emitter.emit('evt1');
while (true);
