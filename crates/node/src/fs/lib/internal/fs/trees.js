// Whole trees: removing and copying them.
// Uses binding.nextTick, beforeTrips, emitWarning.
'use strict';

const calls = require('internal/fs/calls');
const { onPath } = require('internal/fs/gate');
const { toPath } = require('internal/fs/arguments');
const {
  validateBoolean, validateFunction, validateInt32, validateObject, validateUint32,
} = require('internal/validators');
const { codes, systemError } = require('internal/errors');

const prepare = (name, ...args) => calls[name][2](...args);

// What a failed removal may be tried again for.
const passing = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

function removeOptions(options) {
  if (options === undefined) options = {};
  validateObject(options, 'options');
  options = { retryDelay: 100, maxRetries: 0, recursive: false, force: false, ...options };
  validateBoolean(options.force, 'options.force');
  validateBoolean(options.recursive, 'options.recursive');
  validateInt32(options.retryDelay, 'options.retryDelay', 0);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

function refuseDirectory(path, stats, options) {
  if (stats.isDirectory() && !options.recursive) {
    throw new codes.ERR_FS_EISDIR({ code: 'EISDIR', message: 'is a directory', path: String(path), syscall: 'rm', errno: 21 });
  }
}

exports.rmSync = (path, options) => {
  path = toPath(path);
  options = removeOptions(options);
  if (!(options.force && options.recursive)) {
    const stats = prepare('lstat', path, { throwIfNoEntry: !options.force }).perform();
    if (stats === undefined) return;
    refuseDirectory(path, stats, options);
  }
  for (let tries = 0; ; tries++) {
    try {
      return onPath('remove', path, []).perform();
    } catch (error) {
      if (!passing.has(error.code) || tries >= options.maxRetries) throw error;
    }
  }
};

exports.rmPromise = async (path, options) => {
  path = toPath(path);
  options = removeOptions(options);
  const looks = options.force && options.recursive;
  if (!looks) {
    try {
      refuseDirectory(path, await prepare('lstat', path).promise(), options);
    } catch (error) {
      if (!options.force || error.code !== 'ENOENT') throw error;
      if (binding.beforeTrips) return;
      // Who removes it all the same sees once more that nothing is there.
    }
  }
  for (let tries = 1; ; tries++) {
    try {
      return await onPath('remove', path, [looks]).promise();
    } catch (error) {
      if (!passing.has(error.code) || tries > options.maxRetries) throw error;
      await require('timers/promises').setTimeout(tries * options.retryDelay);
    }
  }
};

// Warns once of what `rm` is there for.
let warn = () => {
  warn = () => {};
  binding.emitWarning(
    'In future versions of Node.js, fs.rmdir(path, { recursive: true }) will be removed. Use fs.rm(path, { recursive: true }) instead',
    'DeprecationWarning', 'DEP0147');
};

const ENOTDIR = -20;

/// `rmdir` with options: with `recursive` it removes a directory that is there with all that is in it, and nothing else.
exports.prepareRmdir = (path, options) => {
  validateObject(options, 'options');
  const { retryDelay = 100, maxRetries = 0, recursive = false } = options;
  validateBoolean(recursive, 'options.recursive');
  validateInt32(retryDelay, 'options.retryDelay', 0);
  validateUint32(maxRetries, 'options.maxRetries');
  if (!recursive) return onPath('rmdir', path, []);
  warn();
  const retry = { recursive, retryDelay, maxRetries };
  const check = (stats) => {
    if (!stats.isDirectory()) throw systemError({ errno: ENOTDIR, syscall: 'rmdir', path: String(path) });
  };
  const promised = async (look) => {
    check(await prepare(look, path).promise());
    return exports.rmPromise(path, retry);
  };
  return {
    perform() {
      check(prepare('lstat', path).perform());
      exports.rmSync(path, retry);
    },
    request: (callback) => callBack(promised('lstat').then(() => undefined), callback),
    promise: () => promised('stat'),
  };
};

// Calls back outside of the promise, so that what the callback throws is not taken for a rejection.
function callBack(promise, callback) {
  promise.then((value) => binding.nextTick(callback, null, value), (error) => binding.nextTick(callback, error));
}

exports.rm = (path, options, callback) => {
  if (typeof options === 'function') [options, callback] = [undefined, options];
  validateFunction(callback, 'cb');
  path = toPath(path);
  options = removeOptions(options);
  callBack(exports.rmPromise(path, options), (error) => callback(error));
};

for (const name of ['cpSync', 'cpPromise']) {
  exports[name] = (...args) => require('internal/fs/cp')[name](...args);
}
exports.cp = (from, to, options, callback) => {
  if (typeof options === 'function') [options, callback] = [undefined, options];
  validateFunction(callback, 'cb');
  const { cpOptions, cpPromise } = require('internal/fs/cp');
  callBack(cpPromise(toPath(from, 'src'), toPath(to, 'dest'), cpOptions(options)), callback);
};
