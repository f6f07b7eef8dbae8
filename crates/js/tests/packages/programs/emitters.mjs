// packages: eventemitter3@5.0.4 eventemitter2@6.4.9 mitt@3.0.1
import { EventEmitter } from 'eventemitter3';
import emitter2 from 'eventemitter2';
import mitt from 'mitt';

const three = new EventEmitter();
three.on('a', function(...args) { console.log('a', args, this === three); });
three.once('a', () => console.log('once'));
console.log(three.emit('a', 1, 2), three.emit('a'), three.emit('b'), three.listenerCount('a'), three.eventNames());

const two = new emitter2.EventEmitter2({ wildcard: true, delimiter: '.', maxListeners: 3 });
two.on('foo.*', function(value) { console.log(this.event, value); });
two.onAny((event, value) => console.log('any', event, value));
two.emit('foo.bar', 1);
two.emit('other', 2);
console.log(await two.waitFor('later', 5).catch((error) => error.message));

const m = mitt();
m.on('*', (type, event) => console.log(type, event));
m.emit('x', { y: 1 });
m.all.clear();
m.emit('x', 2);
