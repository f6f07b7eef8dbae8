// A job emits its result; the listener is attached once the log file has been looked at.
// Race: an error that is emitted while nobody listens is thrown.
'use strict';
const { EventEmitter } = require('events');
const fs = require('fs');

const job = new EventEmitter();
fs.stat('.', () => job.on('error', () => {}));
setTimeout(() => job.emit('error', new Error('the job failed')), 20);
