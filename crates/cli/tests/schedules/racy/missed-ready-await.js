// As with a listener, so with `once` and `await`: the event is waited for after something else.
// Race: it may have been emitted by then; the function never goes on.
'use strict';
const assert = require('assert');
const { EventEmitter, once } = require('events');
const { stat } = require('fs/promises');

const connection = new EventEmitter();
setTimeout(() => connection.emit('open'), 60);

let greeted = false;
(async () => {
  await stat('.');
  await once(connection, 'open');
  greeted = true;
})();
process.on('exit', () => assert.ok(greeted));
