// A store says `ready` once it has read its file. Its user reads a setting before listening.
// Race: the store may be ready before anybody listens, and does not say it again.
'use strict';
const assert = require('assert');
const { EventEmitter } = require('events');
const fs = require('fs');

class Store extends EventEmitter {
  constructor() {
    super();
    setTimeout(() => this.emit('ready'), 40);
  }
}

const store = new Store();
let served = false;
fs.stat('.', () => {
  store.once('ready', () => { served = true; });
});
process.on('exit', () => assert(served, 'nobody noticed that the store was ready'));
