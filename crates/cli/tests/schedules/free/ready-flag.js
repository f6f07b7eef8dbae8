// Benign: whoever comes late finds in a flag that the event is over.
'use strict';
const assert = require('assert');
const { EventEmitter } = require('events');
const fs = require('fs');

const store = new EventEmitter();
store.isReady = false;
setTimeout(() => {
  store.isReady = true;
  store.emit('ready');
}, 10);

let served = 0;
fs.stat('.', () => {
  const serve = () => { served++; };
  if (store.isReady) serve();
  else store.once('ready', serve);
});
process.on('exit', () => assert.strictEqual(served, 1));
