// node:fs. The plain calls are made from their table; the rest is in files that are loaded when they are
// first used.
// Uses binding.beforeTrips.
'use strict';

const calls = require('internal/fs/calls');
const { requestOnPath, requestToWrite } = require('internal/fs/gate');
const constants = require('internal/fs/constants');
const { isFd } = require('internal/fs/arguments');
const { validateFunction } = require('internal/validators');
const { atLevel, levelIn, levelOf } = require('internal/levels');

const fs = module.exports;

function describe(fn, name, length) {
  Object.defineProperty(fn, 'name', { value: name, configurable: true });
  Object.defineProperty(fn, 'length', { value: length, configurable: true });
  return fn;
}

function withCallback(needed, more, prepare, hasDefault, looksFirst, takesSecond) {
  return function(...args) {
    let at = needed;
    if (takesSecond && typeof args[at + 1] === 'function') at++;
    while (at < needed + more && typeof args[at] !== 'function') at++;
    const callback = args[at];
    if (callback === undefined && hasDefault) {
      prepare(...args).request((error) => { if (error !== null) throw error; });
      return;
    }
    if (typeof callback !== 'function') {
      // Something else may be wrong, too, and is told first.
      if (looksFirst) prepare(...args.slice(0, at));
      validateFunction(callback, 'cb');
    }
    const level = args.length > at + 1 || typeof args[at - 1] === 'object' ? levelOf(args, at) : undefined;
    args.length = at;
    if (level === undefined) prepare(...args).request(callback);
    else atLevel(level, () => prepare(...args).request(callback));
  };
}

const atOnce = (prepare) => (...args) => prepare(...args).perform();

// Those that complain of their other arguments before they complain of a missing callback.
const looking = new Set(['chmod', 'copyFile', 'fchmod', 'fchown', 'ftruncate', 'futimes', 'open', 'truncate']);
// Those that call the second of two functions: the first has the place of an option.
const second = new Set(['appendFile', 'open', 'symlink', 'writeFile']);
// Those whose options may be left out are said to take fewer.
const shorter = new Set(['stat', 'lstat', 'fstat', 'statfs', 'ftruncate']);

for (const [name, [needed, more, prepare]] of Object.entries(calls)) {
  if (name === 'realpathNative') continue;
  const length = shorter.has(name) ? 1 : needed + more;
  fs[name] = describe(withCallback(needed, more, prepare, name === 'close', looking.has(name), second.has(name)), name, shorter.has(name) || name === 'close' ? 1 : length + 1);
  fs[`${name}Sync`] = describe(atOnce(prepare), `${name}Sync`, length);
}
{
  const [needed, more, prepare] = calls.realpathNative;
  fs.realpath.native = describe(withCallback(needed, more, prepare), '', 3);
  fs.realpathSync.native = describe(atOnce(prepare), '', 2);
}

// A file that is open is truncated by `ftruncate`; this is what it was called before.
{
  const warned = (call) => require('internal/util/deprecate').deprecate(
    call, 'Using fs.truncate with a file descriptor is deprecated. Please use fs.ftruncate with a file descriptor instead.', 'DEP0081');
  let ofOpen;
  const { truncate, truncateSync } = fs;
  const { validateInteger } = require('internal/validators');
  fs.truncate = describe(function(path, len, ...rest) {
    if (typeof path === 'number') {
      ofOpen ??= [warned(fs.ftruncate), warned(fs.ftruncateSync)];
      return ofOpen[0](path, len, ...rest);
    }
    if (typeof len !== 'function' && len !== undefined) validateInteger(len, 'len');
    return truncate(path, len, ...rest);
  }, 'truncate', 3);
  fs.truncateSync = describe((path, len) => {
    if (typeof path !== 'number') return truncateSync(path, len);
    ofOpen ??= [warned(fs.ftruncate), warned(fs.ftruncateSync)];
    return ofOpen[1](path, len);
  }, 'truncateSync', 2);
}

// What is to be on the disk before it is told goes there by `fsync`, which a program may have replaced.
for (const name of ['writeFile', 'appendFile']) {
  const [at, , prepare] = calls[name];
  const plain = fs[name];
  const plainSync = fs[`${name}Sync`];
  const flag = name === 'writeFile' ? 'w' : 'a';
  const flushes = (options) => options !== null && typeof options === 'object' && options.flush === true;
  fs[name] = describe(function(...args) {
    const options = args[at];
    if (!flushes(options) || typeof args[at + 1] !== 'function' || binding.beforeTrips) return plain(...args);
    const [file, data] = args;
    const rest = { ...options, flush: false };
    const callback = args[at + 1];
    prepare(file, data, rest);
    const withOpen = (fd, done) => plain(fd, data, rest, (error) => (error ? done(error) : fs.fsync(fd, done)));
    atLevel(levelOf(args, at + 1), () => {
      if (isFd(file)) return withOpen(file, callback);
      calls.open[2](file, options.flag ?? flag, options.mode ?? 0o666).request((error, fd) => {
        if (error) return callback(error);
        withOpen(fd, (failure) => fs.close(fd, (unclosed) => callback(failure ?? unclosed ?? null)));
      });
    });
  }, name, plain.length);
  fs[`${name}Sync`] = describe((file, data, options) => {
    if (!flushes(options) || binding.beforeTrips) return plainSync(file, data, options);
    const rest = { ...options, flush: false };
    prepare(file, data, rest);
    const isOpen = isFd(file);
    const fd = isOpen ? file : calls.open[2](file, options.flag ?? flag, options.mode ?? 0o666).perform();
    try {
      plainSync(fd, data, rest);
      fs.fsyncSync(fd);
    } finally {
      if (!isOpen) fs.closeSync(fd);
    }
  }, `${name}Sync`, plainSync.length);
}

// What is given up when it is aborted, with a signal in its options.
for (const name of ['writeFile', 'appendFile']) {
  const plain = fs[name];
  const at = calls[name][0];
  fs[name] = describe(function(...args) {
    const signal = args[at]?.signal;
    if (signal === undefined || typeof args[at] === 'function') return plain(...args);
    const callback = args[at + 1];
    validateFunction(callback, 'cb');
    const call = calls[name][2](...args.slice(0, at + 1));
    atLevel(levelOf(args, at + 1), () => require('internal/fs/abort').request(call, signal, callback));
  }, name, plain.length);
}

// A walk through a whole tree keeps its caller waiting, as in Node 20, which calls back before it returns.
{
  const plain = fs.readdir;
  fs.readdir = describe(function(path, options, callback) {
    if (typeof callback !== 'function' || !options?.recursive || binding.beforeTrips) return plain(path, options, callback);
    callback(null, calls.readdir[2](path, options).perform());
  }, 'readdir', plain.length);
}

// Nearly always these are given a path and a callback, and no more: then they are made the short way.
for (const name of ['access', 'lstat', 'mkdir', 'rmdir', 'stat', 'unlink']) {
  const whole = fs[name];
  let call;
  fs[name] = describe(function(path, options, callback, level) {
    if (typeof options === 'function' && callback === undefined && typeof path === 'string') {
      call ??= calls[name][2]('/');
      if (requestOnPath(call, path, options)) return;
    }
    whole(path, options, callback, level);
  }, name, whole.length);
}

// Those that write a text are given no options.
for (const name of ['writeFile', 'appendFile']) {
  const whole = fs[name];
  let call;
  fs[name] = describe(function(path, data, options, callback, level) {
    if (typeof options === 'function' && callback === undefined && typeof data === 'string' && typeof path === 'string') {
      call ??= calls[name][2]('/', '');
      if (requestToWrite(call, path, data, options)) return;
    }
    whole(path, data, options, callback, level);
  }, name, whole.length);
}

// Whole files become Buffers.
require('buffer');
fs.readFile = describe(require('internal/fs/read_file').withCallback, 'readFile', 3);
fs.readFileSync = describe(require('internal/fs/read_file').atOnce, 'readFileSync', 2);

const plainMkdtemp = calls.mkdtemp[2];
const EEXIST = -17;
fs.mkdtempSync = describe((prefix, options) => {
  for (;;) {
    try {
      return plainMkdtemp(prefix, options).perform();
    } catch (error) {
      if (error.errno !== EEXIST) throw error;
    }
  }
}, 'mkdtempSync', 2);

fs.exists = describe(function(path, callback, level) {
  validateFunction(callback, 'cb');
  let call;
  try {
    call = calls.access[2](path);
  } catch {
    return callback(false);
  }
  atLevel(levelOf([callback, level], 0), () => call.request((error) => callback(error === null)));
}, 'exists', 2);
Object.defineProperty(fs.exists, Symbol.for('nodejs.util.promisify.custom'), {
  value: { exists: (path) => new Promise((resolve) => fs.exists(path, resolve)) }.exists,
});
fs.existsSync = function existsSync(path) {
  try {
    calls.access[2](path).perform();
    return true;
  } catch {
    return false;
  }
};

// Files of functions, loaded with the first of them. Those that take a level have it behind their callback or in
// their last argument but that.
function later(file, names) {
  for (const [name, length] of Object.entries(names)) {
    const isSync = name.endsWith('Sync');
    fs[name] = describe(function(...args) {
      if (isSync) return require(file)[name](...args);
      const at = args.findLastIndex((arg) => typeof arg === 'function');
      const level = at === -1 ? levelIn(args[args.length - 1]) : levelOf(args, at);
      return atLevel(level, () => require(file)[name](...args));
    }, name, length);
  }
}
later('internal/fs/bytes', {
  read: 6, readSync: 5, readv: 4, readvSync: 3, write: 6, writeSync: 5, writev: 4, writevSync: 3,
});
require('internal/fs/gate').own.read = fs.read;
later('internal/fs/trees', { cp: 4, cpSync: 3, rm: 3, rmSync: 2 });
later('internal/fs/dir', { opendir: 3, opendirSync: 2 });
later('internal/fs/streams', { createReadStream: 2, createWriteStream: 2 });
later('internal/fs/watch', { watch: 3 });
later('internal/fs/watch_file', { watchFile: 3, unwatchFile: 2 });
later('internal/fs/blob', { openAsBlob: 1 });
fs.lchmod = undefined;
fs.lchmodSync = undefined;

for (const name of ['read', 'write', 'readv', 'writev']) {
  const result = name.startsWith('read') ? 'bytesRead' : 'bytesWritten';
  const buffer = name.endsWith('v') ? 'buffers' : 'buffer';
  Object.defineProperty(fs[name], Symbol.for('nodejs.util.promisify.custom'), {
    value: (...args) => new Promise((resolve, reject) => {
      fs[name](...args, (error, count, data) => (error ? reject(error) : resolve({ [result]: count, [buffer]: data })));
    }),
  });
}

function accessor(name, file, property = name) {
  Object.defineProperty(fs, name, {
    configurable: true,
    enumerable: true,
    get() { return require(file)[property]; },
    set(value) { Object.defineProperty(fs, name, { value, writable: true, configurable: true, enumerable: true }); },
  });
}
accessor('Dirent', 'internal/fs/stats');
accessor('Stats', 'internal/fs/stats');
accessor('ReadStream', 'internal/fs/streams');
accessor('WriteStream', 'internal/fs/streams');
accessor('FileReadStream', 'internal/fs/streams', 'ReadStream');
accessor('FileWriteStream', 'internal/fs/streams', 'WriteStream');
fs._toUnixTimestamp = describe((time, name) => require('internal/fs/arguments').toTime(time, name), 'toUnixTimestamp', 1);
accessor('Dir', 'internal/fs/dir');
for (const name of ['F_OK', 'R_OK', 'W_OK', 'X_OK']) {
  Object.defineProperty(fs, name, { enumerable: true, value: constants[name] });
}
Object.defineProperty(fs, 'constants', { enumerable: true, value: constants });
Object.defineProperty(fs, 'promises', { configurable: true, enumerable: true, get() { return require('fs/promises'); } });
