// Whole files, however they are asked for: what is read, and how it is decoded, is decided here.
'use strict';

const { onFile, onPath, readPlainFile, readPlainFileForPromise, readPlainFileSync } = require('internal/fs/gate');
const { assertEncoding, isFd, toBuffer, toFd, toFlags, toOptions, toPath } = require('internal/fs/arguments');
const hooked = require('internal/hooked');
const { atLevel, levelOf } = require('internal/levels');
const { validateFunction } = require('internal/validators');

const finisher = ({ encoding }) => (bytes) => (encoding ? toBuffer(bytes).toString(encoding) : toBuffer(bytes));

/// The call for any file and any options; `path` may be a descriptor.
function prepare(path, options) {
  options = toOptions(options, { flag: 'r' });
  const finish = finisher(options);
  if (options.encoding === 'buffer') assertEncoding(options.encoding);
  if (isFd(path)) return onFile('readFile', [toFd(path)], finish);
  return onPath('readFile', toPath(path), [toFlags(options.flag ?? 'r')], finish);
}

// Whether it may need no call of its own: as bytes, or as UTF-8.
const isPlain = (options) => options === undefined || options === 'utf8' || options === 'utf-8';

function withCallback(path, options, callback, after) {
  if (callback === undefined && typeof options === 'function' && !hooked.hears() && readPlainFile(path, false, options)) return;
  if (typeof options === 'function') {
    if (typeof callback === 'function') options = undefined;
    else [after, callback, options] = [callback, options, undefined];
  }
  validateFunction(callback, 'cb');
  if (after !== undefined || typeof options === 'object') {
    const level = levelOf([options, callback, after], 1);
    if (level !== undefined) {
      atLevel(level, () => start(path, options, callback));
      return;
    }
  }
  start(path, options, callback);
}

function start(path, options, callback) {
  if (hooked.hears() && !isFd(path) && options?.signal === undefined) {
    const chosen = toOptions(options, { flag: 'r' });
    const open = require('internal/fs/calls').open[2](path, chosen.flag, 0o666);
    require('internal/fs/read_steps')(open, finisher(chosen), callback);
    return;
  }
  if (isPlain(options) && readPlainFile(path, options !== undefined, callback)) return;
  const call = prepare(path, options);
  const signal = options?.signal;
  if (signal === undefined) call.request(callback);
  else require('internal/fs/abort').request(call, signal, callback);
}

function atOnce(path, options) {
  return (isPlain(options) ? readPlainFileSync(path, options !== undefined) : undefined) ?? prepare(path, options).perform();
}

// Opened, read and closed one after the other, as hooks hear of it.
async function promiseInSteps(path, options) {
  const { flag } = toOptions(options, { flag: 'r' });
  const handle = await require('fs/promises').open(path, flag);
  try {
    return await handle.readFile(options);
  } finally {
    await handle.close();
  }
}

function promise(path, options) {
  if (hooked.hears() && !(path instanceof require('internal/fs/file_handle').FileHandle) && options?.signal === undefined) {
    return promiseInSteps(path, options);
  }
  return (isPlain(options) ? readPlainFileForPromise(path, options !== undefined) : undefined) ?? promiseOfAny(path, options);
}

// By a path, a descriptor in a `FileHandle`, or a number if `isOpen`.
async function promiseOfAny(path, options, isOpen = false) {
  const { signal } = toOptions(options);
  if (!isOpen) path = path instanceof require('internal/fs/file_handle').FileHandle ? path.fd : toPath(path);
  return require('internal/fs/abort').promise(prepare(path, options), signal);
}

/// Of a descriptor.
const promiseOfOpen = (fd, options) => promiseOfAny(fd, options, true);

module.exports = { prepare, atOnce, withCallback, promise, promiseOfOpen };
