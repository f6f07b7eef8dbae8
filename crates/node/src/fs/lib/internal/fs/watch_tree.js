// fs.watch with `recursive`: every file and directory of the tree is watched by itself, also those that
// come later.
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const calls = require('internal/fs/calls');
const { Watcher } = require('internal/fs/changes');
const { fromName } = require('internal/fs/arguments');
const { basename, join, relative, resolve, sep } = require('path');

const look = (path) => calls.stat[2](path, { throwIfNoEntry: false }).perform();

class TreeWatcher extends EventEmitter {
  #root;
  #options;
  #closed = false;
  #isFile = false;
  // By path: what watches it, or null for a link, which is not followed.
  #watchers = new Map();

  _start(path, options) {
    this.#root = resolve(String(path));
    this.#options = options;
    try {
      const stats = calls.stat[2](this.#root).perform();
      this.#isFile = stats.isFile();
      this.#watch(this.#root);
      if (stats.isDirectory()) this.#enter(this.#root);
    } catch (error) {
      this.#release();
      throw Object.assign(error, { filename: path });
    }
  }

  #tell(type, path) {
    const name = this.#isFile && type === 'change' ? basename(this.#root) : relative(this.#root, path);
    this.emit('change', type, fromName(name, this.#options.encoding));
  }

  // Looks for what is new in a directory.
  #enter(directory) {
    let entries;
    try {
      entries = calls.readdir[2](directory, { withFileTypes: true }).perform();
    } catch {
      // It is gone again.
      return;
    }
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (this.#closed) return;
      if (this.#watchers.has(path)) continue;
      this.#watchers.set(path, null);
      this.#tell('rename', path);
      // Whoever heard of it may have closed all.
      if (this.#closed) return;
      if (entry.isSymbolicLink()) continue;
      try {
        this.#watch(path);
      } catch (error) {
        // It is gone again; its directory tells of that.
        if (error.code === 'ENOENT') continue;
        this.emit('error', error);
        return;
      }
      if (entry.isDirectory()) this.#enter(path);
    }
  }

  #watch(path) {
    const told = () => {
      const stats = look(path);
      if (stats === undefined) this.#leave(path);
      else if (stats.isDirectory()) this.#enter(path);
      else this.#tell('change', path);
    };
    this.#watchers.set(path, new Watcher(this, path, this.#options.persistent, told));
  }

  #leave(path) {
    for (const [inner, watcher] of this.#watchers) {
      if (inner !== path && !inner.startsWith(path + sep)) continue;
      watcher?.close();
      this.#watchers.delete(inner);
    }
    this.#tell('rename', path);
  }

  #release() {
    for (const watcher of this.#watchers.values()) watcher?.close();
    this.#watchers.clear();
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
    binding.nextTick(() => this.emit('close'));
  }

  #refer(referenced) {
    for (const watcher of this.#watchers.values()) watcher?.refer(referenced);
    this.#options = { ...this.#options, persistent: referenced };
    return this;
  }

  ref() {
    return this.#refer(true);
  }

  unref() {
    return this.#refer(false);
  }
}
Object.defineProperty(TreeWatcher, 'name', { value: 'FSWatcher' });

module.exports = { TreeWatcher };
