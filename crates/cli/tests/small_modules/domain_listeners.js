// A domain's own listener stands before those of the program, and goes with the last of them.
'use strict';

const domain = require('node:domain');

const event = 'uncaughtException';
const show = (what) => console.log(what, process.listeners(event).map(({ name }) => name));

function first() {}
function second() {}

show('none');
process.on(event, first);
show('first');
process.on(event, second);
show('second after it');
process.removeListener(event, first);
show('without the first');
process.removeListener(event, second);
show('without both');
process.prependListener(event, first);
process.prependListener(event, second);
show('both before what is there');
process.removeAllListeners(event);
show('none again');

// What listens is outside of all domains, unless it was put before.
const entered = domain.create();
const inside = (name) => () => console.log(name, process.domain === entered, domain._stack.length);
process.on(event, inside('appended'));
process.prependListener(event, inside('prepended'));
entered.enter();
process.emit(event, new Error('x'));
console.log(process.domain === entered);

process.removeAllListeners(event);
process.on('newListener', (name, listener) => console.log('new', listener.name));
process.on('removeListener', (name, listener) => console.log('gone', listener.name));
process.once(event, second);
process.on(event, first);
process.emit(event, new Error('x'));
process.removeListener(event, first);

// What a program keeps of the list takes the errors that come later, as when its `exit` fails.
process.on(event, first);
const [kept] = process.listeners(event);
process.removeAllListeners(event);
process.on(event, kept);
show('kept');
process.on('exit', () => {
  throw new Error('nobody hears of it');
});
