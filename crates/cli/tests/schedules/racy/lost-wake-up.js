// A consumer sleeps when its queue is empty; a producer wakes it if it sleeps.
// Race: what is put between the look at the queue and the sleep wakes nobody.
'use strict';
const assert = require('assert');
const fs = require('fs');

const queue = ['one'];
let wake = null;
const taken = [];

function consume() {
  while (queue.length > 0) taken.push(queue.shift());
  fs.stat('.', () => { wake = consume; }); // Tells somewhere that it is idle, then sleeps.
}

function produce(item) {
  queue.push(item);
  if (wake === null) return;
  const sleeper = wake;
  wake = null;
  sleeper();
}

consume();
setTimeout(() => produce('two'), 50);
process.on('exit', () => assert.deepStrictEqual(taken, ['one', 'two']));
