'use strict';
// Three clients of a small store: each reads, computes, and writes back.
const fs = require('fs');
const path = require('path');
const { EventEmitter } = require('events');

const directory = '/tmp/hemiola-schedules';
const file = path.join(directory, 'count.txt');
const bus = new EventEmitter();
const log = [];
fs.mkdirSync(directory, { recursive: true });
fs.writeFileSync(file, '0');

class Store {
  constructor(file) {
    this.file = file;
    this.cache = new Map();
  }
  read(key, done) {
    if (this.cache.has(key)) {
      setImmediate(() => done(null, this.cache.get(key)));
      return;
    }
    fs.readFile(this.file, 'utf8', (error, text) => {
      if (error) return done(error);
      this.cache.set(key, Number(text));
      done(null, Number(text));
    });
  }
  write(key, value, done) {
    this.cache.set(key, value);
    fs.writeFile(this.file, String(value), done);
  }
}

const store = new Store(file);
let finished = 0;

function client(name) {
  store.read('count', (error, value) => {
    if (error) throw error;
    log.push(`${name} read ${value}`);
    process.nextTick(() => {
      store.write('count', value + 1, () => {
        log.push(`${name} wrote ${value + 1}`);
        finished += 1;
        bus.emit('done', name);
      });
    });
  });
}

bus.on('done', () => { if (finished === 3) console.log(log.join('\n')); });
for (const name of ['a', 'b', 'c']) client(name);
