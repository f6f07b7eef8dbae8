// Ancona et al., An Abstract Machine for Asynchronous Programs with Closures and Priority Queues,
// section 1, modified: "the program enters immediately the infinite loop without printing ok".
// Never ends.
var EventEmitter = require('events');
var eventEmitter = new EventEmitter();
var msg = function msg() { console.log('ok'); }
// As printed:
eventEmitter.on('evt1', function () { setImmediate(msg); });
eventEmitter.emit('evt1');
while (true);
