// Directories that are read entry by entry.
// Uses binding.nextTick, beforeTrips.
'use strict';

const { onFile, onPath } = require('internal/fs/gate');
const { fromName, toOptions, toPath } = require('internal/fs/arguments');
const { toDirent } = require('internal/fs/stats');
const { validateFunction, validateUint32 } = require('internal/validators');
const { codes: { ERR_DIR_CLOSED, ERR_DIR_CONCURRENT_OPERATION, ERR_MISSING_ARGS } } = require('internal/errors');

class Dir {
  #entries;
  // How many of them were read and are told without asking again.
  #read = 0;
  #path;
  #options;
  #closed = false;
  #busy = 0;

  constructor(entries, path, options) {
    if (entries === undefined) throw new ERR_MISSING_ARGS('handle');
    this.#entries = entries;
    this.#path = path;
    this.#options = options;
  }

  get path() { return this.#path; }

  #next() {
    if (this.#read > 0) this.#read--;
    const next = this.#entries.shift();
    if (next === undefined) return null;
    const [inside, name, kind] = next;
    return toDirent(fromName(name, this.#options.encoding), kind, inside);
  }

  readSync() {
    if (this.#closed) throw new ERR_DIR_CLOSED();
    if (this.#busy > 0) throw new ERR_DIR_CONCURRENT_OPERATION();
    return this.#next();
  }

  read(callback) {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        if (this.#read > 0 && !this.#closed) resolve(this.#next());
        else this.read((error, entry) => (error === null ? resolve(entry) : reject(error)));
      });
    }
    validateFunction(callback, 'callback');
    if (this.#closed) throw new ERR_DIR_CLOSED();
    if (this.#read > 0) {
      binding.nextTick(callback, null, this.#next());
      return;
    }
    this.#busy++;
    // All of it was read when it was opened; an answer still takes its time.
    onFile('written', [0]).request(() => {
      this.#busy--;
      if (!binding.beforeTrips) this.#read = Math.min(this.#options.bufferSize ?? 32, this.#entries.length);
      callback(null, this.#next());
    });
  }

  closeSync() {
    if (this.#closed) throw new ERR_DIR_CLOSED();
    if (this.#busy > 0) throw new ERR_DIR_CONCURRENT_OPERATION();
    this.#closed = true;
  }

  close(callback) {
    if (callback === undefined) {
      if (this.#closed) return Promise.reject(new ERR_DIR_CLOSED());
      return new Promise((resolve) => this.close(() => resolve()));
    }
    validateFunction(callback, 'callback');
    if (this.#closed) {
      binding.nextTick(callback, new ERR_DIR_CLOSED());
      return;
    }
    this.#closed = true;
    onFile('written', [0]).request(() => callback(null));
  }

  async* entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) break;
        yield entry;
      }
    } finally {
      await this.close();
    }
  }
}
Object.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  value: Dir.prototype.entries, enumerable: false, writable: true, configurable: true,
});

function entries(path, list) {
  const found = [];
  for (let at = 0; at < list.length; at += 2) found.push([path, list[at], list[at + 1]]);
  return found;
}

function prepare(path, options) {
  path = toPath(path);
  options = toOptions(options, { encoding: 'utf8' });
  const { bufferSize = 32, recursive = false } = options;
  validateUint32(bufferSize, 'options.bufferSize', true);
  const shown = String(path);
  const call = recursive
    ? onPath('scanAll', path, [], (list) => {
      const found = [];
      const { join } = require('path');
      for (let at = 0; at < list.length; at += 3) found.push([join(shown, String(list[at])), list[at + 1], list[at + 2]]);
      return new Dir(found, shown, options);
    })
    : onPath('opendir', path, [], (list) => new Dir(entries(shown, list), shown, options));
  return call;
}

exports.Dir = Dir;
exports.prepare = prepare;
exports.opendir = (path, options, callback) => {
  if (typeof options === 'function') [options, callback] = [undefined, options];
  validateFunction(callback, 'callback');
  prepare(path, options).request(callback);
};
exports.opendirSync = (path, options) => {
  const call = prepare(path, options);
  call.pathless = true;
  return call.perform();
};
