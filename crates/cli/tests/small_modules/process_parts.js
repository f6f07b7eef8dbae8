// Parts of the process that programs look at or put functions of theirs around.
'use strict';
const EventEmitter = require('events');

const prototype = Object.getPrototypeOf(process);
console.log(process instanceof process.constructor, prototype instanceof EventEmitter, process.constructor.name);
console.log(Object.getOwnPropertyDescriptor(prototype, 'constructor').enumerable);
console.log(process.abort.prototype, process.abort.length);
try { process.assert(false); } catch (error) { console.log(error.name, error.code, error.message); }
console.log(process.assert(1));
const { _kill } = process;
process._kill = (pid, signal) => { console.log(pid === process.pid, signal); return 0; };
console.log(process.kill(process.pid, 'SIGUSR2'), process.kill(String(process.pid), 0));
process._kill = _kill;
process.env.CLONED = 'yes';
const copy = structuredClone(process.env);
console.log(copy.CLONED, Object.getPrototypeOf(copy) === Object.prototype);
console.log(Object.keys(process.binding('util')).join());
