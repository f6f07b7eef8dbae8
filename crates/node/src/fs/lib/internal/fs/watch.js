// fs.watch, with events and as an iterator.
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const { Watcher } = require('internal/fs/changes');
const { fromName, toOptions, toPath } = require('internal/fs/arguments');
const { AbortError, uvException, codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateObject } = require('internal/validators');

const ENOSPC = -28;

class FSWatcher extends EventEmitter {
  #watcher;

  _start(path, { persistent, encoding }) {
    const told = (type, name) => {
      if (name.length === 0) name = require('path').basename(String(path));
      this.emit('change', type, fromName(name, encoding));
    };
    try {
      this.#watcher = new Watcher(this, path, Boolean(persistent), told);
    } catch (error) {
      if (error.errno === undefined) throw error;
      const { errno } = error;
      const message = errno === ENOSPC ? 'System limit for number of file watchers reached' : '';
      throw Object.assign(uvException({ errno, syscall: 'watch', path: String(path), message }), { filename: path });
    }
  }

  close() {
    if (!this.#watcher?.active) return;
    this.#watcher.close();
    binding.nextTick(() => this.emit('close'));
  }

  ref() {
    if (this.#watcher?.active) this.#watcher.refer(true);
    return this;
  }

  unref() {
    if (this.#watcher?.active) this.#watcher.refer(false);
    return this;
  }
}

function watchOptions(options) {
  options = { ...toOptions(options) };
  options.persistent ??= true;
  options.recursive ??= false;
  validateBoolean(options.recursive, 'options.recursive');
  return options;
}

// A watcher that has begun.
function start(path, options) {
  if (options.recursive) validateBoolean(options.persistent, 'options.persistent');
  const Class = options.recursive ? require('internal/fs/watch_tree').TreeWatcher : FSWatcher;
  const watcher = new Class();
  watcher._start(path, options);
  return watcher;
}

function closeOnAbort(watcher, signal) {
  const close = () => watcher.close();
  if (signal.aborted) binding.nextTick(close);
  else signal.addEventListener('abort', close, { once: true });
}

exports.watch = (path, options, listener) => {
  const heard = typeof options === 'function' ? options : listener;
  const where = toPath(path);
  const chosen = watchOptions(options);
  const watcher = start(where, chosen);
  if (heard) watcher.on('change', heard);
  if (chosen.signal) closeOnAbort(watcher, chosen.signal);
  return watcher;
};

function promiseOptions(options) {
  validateObject(options, 'options');
  const { persistent = true, recursive = false, encoding = 'utf8', signal } = options;
  for (const [name, value] of Object.entries({ persistent, recursive })) validateBoolean(value, `options.${name}`);
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  if (encoding && !require('buffer').Buffer.isEncoding(encoding) && encoding !== 'buffer') {
    // Node names them the other way round.
    throw new ERR_INVALID_ARG_VALUE(String(encoding), 'encoding', 'is invalid encoding');
  }
  return { persistent, recursive, encoding, signal };
}

exports.watchPromise = async function* (path, options = {}) {
  const where = toPath(path);
  const { signal, ...chosen } = promiseOptions(options);
  const fail = () => new AbortError(undefined, { cause: signal.reason });
  if (signal?.aborted) throw fail();
  const events = [];
  let wake = () => {};
  const watcher = start(where, chosen);
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

