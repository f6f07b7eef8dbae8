// The listener is there before the work that leads to the event begins. Its accesses are ordered.
'use strict';
const assert = require('assert');
const { EventEmitter } = require('events');
const fs = require('fs');

const store = new EventEmitter();
let served = false;
store.once('ready', () => { served = true; });
fs.stat('.', () => {
  store.emit('ready');
  setImmediate(() => assert(served));
});
