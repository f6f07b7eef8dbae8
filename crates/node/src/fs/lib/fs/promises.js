// node:fs/promises.
'use strict';

const calls = require('internal/fs/calls');
const { toFlags, toMode, toPath } = require('internal/fs/arguments');
const { leveled } = require('internal/levels');

function describe(fn, name, length) {
  Object.defineProperty(fn, 'name', { value: name, configurable: true });
  Object.defineProperty(fn, 'length', { value: length, configurable: true });
  return fn;
}

const lengths = {
  __proto__: null, access: 1, copyFile: 3, rename: 2, truncate: 1, rmdir: 2, mkdir: 2, readdir: 2, readlink: 2,
  symlink: 3, lstat: 1, stat: 1, statfs: 1, link: 2, unlink: 1, chmod: 2, lchown: 3, chown: 3, utimes: 3, lutimes: 3,
  realpath: 2, mkdtemp: 2,
};

const ownLengths = {
  __proto__: null, cp: 3, open: 3, opendir: 3, rm: 2, lchmod: 2, writeFile: 3, appendFile: 3, readFile: 2, watch: 1,
};

const handles = () => require('internal/fs/file_handle');

const readFile = require('internal/fs/read_file').promise;
const readFileAtLevel = leveled(readFile);

const own = {
  __proto__: null,
  async cp(from, to, options) {
    return require('internal/fs/trees').cpPromise(from, to, options);
  },
  async open(path, flags, mode) {
    path = toPath(path);
    const fd = await calls.open[2](path, toFlags(flags ?? 'r'), toMode(mode, 'mode', 0o666)).promise();
    return new (handles().FileHandle)(fd);
  },
  async opendir(path, options) {
    return require('internal/fs/dir').prepare(path, options).promise();
  },
  async rm(path, options) {
    return require('internal/fs/trees').rmPromise(path, options);
  },
  async lchmod(path, mode) {
    const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
    throw new ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
  },
  async writeFile(path, data, options) {
    return handles().writeFile(path, data, options, 'w');
  },
  async appendFile(path, data, options) {
    return handles().writeFile(path, data, options, 'a');
  },
  // Only options name a level, and most files are read without any.
  readFile: (path, options) => (typeof options === 'object' ? readFileAtLevel(path, options) : readFile(path, options)),
  watch(path, options) {
    return require('internal/fs/watch').watchPromise(path, options);
  },
};

for (const name of [
  'access', 'copyFile', 'cp', 'open', 'opendir', 'rename', 'truncate', 'rm', 'rmdir', 'mkdir', 'readdir', 'readlink',
  'symlink', 'lstat', 'stat', 'statfs', 'link', 'unlink', 'chmod', 'lchmod', 'lchown', 'chown', 'utimes', 'lutimes',
  'realpath', 'mkdtemp', 'writeFile', 'appendFile', 'readFile', 'watch',
]) {
  if (own[name] !== undefined) {
    exports[name] = describe(name === 'readFile' ? own[name] : leveled(own[name]), name === 'watch' ? '_watch' : name, ownLengths[name]);
    continue;
  }
  const prepare = calls[name === 'realpath' ? 'realpathNative' : name][2];
  exports[name] = describe(leveled(async (...args) => prepare(...args).promise()), name, lengths[name]);
}
exports.constants = require('internal/fs/constants');
