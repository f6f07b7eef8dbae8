// Watching files, by looking again and again: the same in every world.
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const calls = require('internal/fs/calls');
const { fromName, toOptions, toPath } = require('internal/fs/arguments');
const { AbortError, codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const timers = require('internal/timers');
const { validateAbortSignal, validateBoolean, validateFunction, validateUint32 } = require('internal/validators');
const { basename, join } = require('path');

// How long a change may go unseen, in milliseconds.
const GLANCE = 20;

const mark = (stats) => `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
const changed = (before, after) => (before.split(':')[0] === after.split(':')[0] ? 'change' : 'rename');

/// What is there: for a directory its names, each with a mark that differs when the file does.
async function glance(path, recursive) {
  const stats = await calls.lstat[2](path).promise().then(
    (found) => (found.isSymbolicLink() ? calls.stat[2](path).promise() : found));
  if (!stats.isDirectory()) return new Map([['', mark(stats)]]);
  const names = await calls.readdir[2](path, { recursive }).promise();
  const found = new Map();
  await Promise.all(names.map(async (name) => {
    try {
      found.set(name, mark(await calls.lstat[2](join(String(path), name)).promise()));
    } catch {
      // It is gone again.
    }
  }));
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

// The same without waiting, for the first look.
function firstGlance(path, recursive) {
  const stats = calls.stat[2](path).perform();
  if (!stats.isDirectory()) return new Map([['', mark(stats)]]);
  const found = new Map();
  for (const name of calls.readdir[2](path, { recursive }).perform()) {
    const inner = calls.lstat[2](join(String(path), name), { throwIfNoEntry: false }).perform();
    if (inner !== undefined) found.set(name, mark(inner));
  }
  return found;
}

class FSWatcher extends EventEmitter {
  #timer;
  #seen;
  #closed = false;
  #referenced = true;

  _start(path, options) {
    const recursive = Boolean(options.recursive);
    try {
      this.#seen = firstGlance(path, recursive);
    } catch (error) {
      const { systemError } = require('internal/errors');
      const { errno } = error;
      throw Object.assign(systemError({ errno, syscall: 'watch', path: String(path) }), { filename: String(path) });
    }
    this.#referenced = options.persistent !== false;
    const look = async () => {
      let now;
      try {
        now = await glance(path, recursive);
      } catch {
        now = new Map();
      }
      if (this.#closed) return;
      const before = this.#seen;
      this.#seen = now;
      const tell = (type, name) => {
        if (!this.#closed) this.emit('change', type, fromName(name === '' ? basename(String(path)) : name, options.encoding));
      };
      for (const [name, was] of before) {
        const is = now.get(name);
        if (is === undefined) tell('rename', name);
        else if (is !== was) tell(changed(was, is), name);
      }
      for (const name of now.keys()) if (!before.has(name)) tell('rename', name);
      if (!this.#closed) arm();
    };
    const arm = () => {
      this.#timer = timers.setTimeout(look, GLANCE);
      if (!this.#referenced) this.#timer.unref();
    };
    arm();
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    timers.clearTimeout(this.#timer);
    binding.nextTick(() => this.emit('close'));
  }

  ref() {
    this.#referenced = true;
    this.#timer.ref();
    return this;
  }

  unref() {
    this.#referenced = false;
    this.#timer.unref();
    return this;
  }
}

function watchOptions(options) {
  options = { ...toOptions(options) };
  if (options.persistent === undefined) options.persistent = true;
  if (options.recursive === undefined) options.recursive = false;
  validateBoolean(options.persistent, 'options.persistent');
  validateBoolean(options.recursive, 'options.recursive');
  return options;
}

exports.watch = (path, options, listener) => {
  if (typeof options === 'function') listener = options;
  path = toPath(path, 'filename');
  options = watchOptions(options);
  const watcher = new FSWatcher();
  watcher._start(path, options);
  if (listener) watcher.on('change', listener);
  if (options.signal) {
    if (options.signal.aborted) binding.nextTick(() => watcher.close());
    else options.signal.addEventListener('abort', () => watcher.close(), { once: true });
  }
  return watcher;
};

exports.watchPromise = async function* (path, options = {}) {
  path = toPath(path);
  options = watchOptions(options);
  const { signal } = options;
  if (options.encoding && !require('buffer').Buffer.isEncoding(options.encoding) && options.encoding !== 'buffer') {
    throw new ERR_INVALID_ARG_VALUE('options.encoding', options.encoding, 'is invalid encoding');
  }
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  const fail = () => new AbortError(undefined, { cause: signal.reason });
  if (signal?.aborted) throw fail();
  const events = [];
  let wake = () => {};
  const watcher = new FSWatcher();
  watcher._start(path, options);
  watcher.on('change', (eventType, filename) => {
    events.push({ eventType, filename });
    wake();
  });
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (signal?.aborted) throw fail();
      if (events.length > 0) yield events.shift();
      else await new Promise((resolve) => { wake = resolve; });
    }
  } finally {
    watcher.close();
    signal?.removeEventListener('abort', onAbort);
  }
};

// watchFile: one watcher for each path, however many listen.

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
      if (isFirst ? error !== null : mark(before) !== mark(now)) this.emit('change', now, before);
      if (!this.#stopped) this.#timer = timers.setTimeout(() => this.#look(false), interval);
      if (this.#options.persistent === false) this.#timer?.unref();
    });
  }

  stop() {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#timer !== undefined) timers.clearTimeout(this.#timer);
    binding.nextTick(() => this.emit('stop'));
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

exports.watchFile = (path, options, listener) => {
  path = require('path').resolve(String(toPath(path, 'filename')));
  if (options === null || typeof options !== 'object') [options, listener] = [{}, options];
  options = { interval: 5007, persistent: true, ...options };
  validateFunction(listener, 'listener');
  validateUint32(options.interval, 'interval');
  let watcher = watched.get(path);
  if (watcher === undefined) {
    watcher = new StatWatcher(path, options);
    watched.set(path, watcher);
  }
  watcher.addListener('change', listener);
  return watcher;
};

exports.unwatchFile = (path, listener) => {
  path = require('path').resolve(String(toPath(path, 'filename')));
  const watcher = watched.get(path);
  if (watcher === undefined) return;
  if (typeof listener === 'function') watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    watched.delete(path);
  }
};

exports.FSWatcher = FSWatcher;
