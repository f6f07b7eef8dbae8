// A listener is removed after a while; what it waits for comes from outside.
// Race: the event may come after its removal.
'use strict';
const assert = require('assert');
const { EventEmitter } = require('events');
const fs = require('fs');

const source = new EventEmitter();
const seen = [];
const listener = (text) => seen.push(text);
source.on('text', listener);
fs.stat('.', () => source.emit('text', 'hello'));
setTimeout(() => source.off('text', listener), 30);
process.on('exit', () => assert.deepStrictEqual(seen, ['hello']));
