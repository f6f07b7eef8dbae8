// watchFile: looking at a file again and again. One watcher for each path, however many listen.
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const calls = require('internal/fs/calls');
const hooked = require('internal/hooked');
const { toPath } = require('internal/fs/arguments');
const timers = require('internal/timers');
const { validateFunction, validateUint32 } = require('internal/validators');

const mark = (stats) => `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
const watched = new Map();
const nobody = new Array(18).fill(0);
const missing = (bigint) => require('internal/fs/stats').toStats(nobody, bigint);

class StatWatcher extends EventEmitter {
  #timer;
  #before;
  #path;
  #options;
  #stopped = false;

  constructor(path, options) {
    super();
    this.#path = path;
    this.#options = options;
    hooked.made('STATWATCHER', this);
    this.#look(true);
  }

  #look(isFirst) {
    const { bigint = false, interval } = this.#options;
    calls.stat[2](this.#path, { bigint }).request((error, stats) => {
      if (this.#stopped) return;
      const now = error === null ? stats : missing(bigint);
      const before = this.#before ?? now;
      this.#before = now;
      // A file that is not there is told of once.
      if (isFirst ? error !== null : mark(before) !== mark(now)) hooked.run(this, 'emit', 'change', now, before);
      if (!this.#stopped) this.#timer = timers.setTimeout(() => this.#look(false), interval);
      if (this.#options.persistent === false) this.#timer?.unref();
    });
  }

  stop() {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#timer !== undefined) timers.clearTimeout(this.#timer);
    binding.nextTick(() => this.emit('stop'));
    hooked.ended(this);
  }

  ref() {
    this.#timer?.ref();
    return this;
  }

  unref() {
    this.#timer?.unref();
    return this;
  }
}

const resolved = (path) => require('path').resolve(String(toPath(path, 'filename')));

/// The watcher of a path, made when it is first asked for.
function watcherOf(path, options) {
  if (!watched.has(path)) watched.set(path, new StatWatcher(path, options));
  return watched.get(path);
}

exports.watchFile = (path, ...rest) => {
  const place = resolved(path);
  // The options may be left out.
  if (rest[0] === null || typeof rest[0] !== 'object') rest.unshift({});
  const [given, listener] = rest;
  const options = { interval: 5007, persistent: true, ...given };
  validateFunction(listener, 'listener');
  validateUint32(options.interval, 'interval');
  return watcherOf(place, options).addListener('change', listener);
};

exports.unwatchFile = (path, listener) => {
  const place = resolved(path);
  const watcher = watched.get(place);
  if (watcher === undefined) return;
  if (typeof listener !== 'function') watcher.removeAllListeners('change');
  else watcher.removeListener('change', listener);
  if (watcher.listenerCount('change') > 0) return;
  watched.delete(place);
  watcher.stop();
};
