// The calls of the file system: for each its name, how many arguments it needs and how many more it
// takes, and what it asks for. The three forms, with a callback, at once and as a promise, come from here.
// Uses binding.random, emitWarning, cwd, permits, realDirectory.
'use strict';

const { onFile, onPath, onPaths } = require('internal/fs/gate');
const { toStats, toStatFs, toDirent } = require('internal/fs/stats');
const {
  fromName, isFd, toAccessMode, toBytes, toCopyMode, toFd, toFlags, toId, toMode, toOptions, toPath,
  toTime,
} = require('internal/fs/arguments');
const { validateBoolean, validateInteger } = require('internal/validators');

const LETTER_X = 88;

const statOptions = (options) => (options === undefined || options === null ? {} : options);

function stat(kind) {
  return (path, options) => {
    const { bigint = false, throwIfNoEntry = true } = statOptions(options);
    const call = onPath(kind, toPath(path), [], (list) => toStats(list, bigint));
    call.mayMiss = throwIfNoEntry === false;
    return call;
  };
}

const owner = (kind) => (path, uid, gid) => onPath(kind, toPath(path), [toId(uid, 'uid'), toId(gid, 'gid')]);
const times = (kind) => (path, atime, mtime) => onPath(kind, toPath(path), [toTime(atime), toTime(mtime)]);

function size(length, name = 'len') {
  validateInteger(length, name);
  return Math.max(0, length);
}

/// The mode of a directory, and whether those above it are made, too. The options may be the mode.
function directoryOptions(options) {
  if (typeof options === 'number' || typeof options === 'string') return [toMode(options, 'mode'), false];
  const { recursive = false, mode } = options || {};
  validateBoolean(recursive, 'options.recursive');
  return [mode === undefined ? 0o777 : toMode(mode, 'options.mode'), recursive];
}

/// The part of a path that names the same as another path from the root: what was made is told the way it was asked for.
function inTermsOf(given, made) {
  if (made === undefined || given[0] === '/') return made;
  const { dirname, resolve } = require('path');
  let part = given;
  while (part !== '.' && resolve(part) !== made) part = dirname(part);
  return part === '.' ? made : part;
}

/// Whether a path begins in a directory that was removed: nothing leads there any more, and nothing is made on the way.
function beginsNowhere(place) {
  if (String(place)[0] === '/') return false;
  return binding.permits('fs.read', binding.cwd) && typeof binding.realDirectory(binding.cwd) === 'number';
}

function mkdir(path, options) {
  const [mode, recursive] = directoryOptions(options);
  const place = toPath(path);
  if (!recursive || beginsNowhere(place)) return onPath('mkdir', place, [mode]);
  return onPath('mkdirs', place, [mode], (first) => inTermsOf(String(place), first));
}

// Warns once of a prefix that some systems would take for a part of what is to be replaced.
let warnOfX = () => {
  warnOfX = () => {};
  binding.emitWarning('mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html');
};

function mkdtemp(prefix, options) {
  const { encoding } = toOptions(options);
  prefix = toPath(prefix, 'prefix');
  if (typeof prefix === 'string' ? prefix.endsWith('X') : prefix[prefix.length - 1] === LETTER_X) warnOfX();
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let end = '';
  for (let at = 0; at < 6; at++) end += letters[Math.floor(binding.random() * letters.length)];
  const { Buffer } = require('buffer');
  const path = typeof prefix === 'string' ? prefix + end : Buffer.concat([prefix, Buffer.from(end)]);
  const call = onPath('mkdtemp', path, [], () => fromName(path, encoding));
  call.shownAs = `${prefix}XXXXXX`;
  return call;
}

function readdir(path, options) {
  options = toOptions(options);
  path = toPath(path);
  const { encoding, withFileTypes, recursive } = options;
  if (recursive !== undefined && recursive !== null) validateBoolean(recursive, 'options.recursive');
  const shownPath = fromName(path, encoding);
  const { join } = require('path');
  if (recursive) {
    return onPath('scanAll', path, [!withFileTypes], (list) => {
      const found = [];
      for (let at = 0; at < list.length; at += 3) {
        const [inside, name, kind] = [list[at], list[at + 1], list[at + 2]];
        if (withFileTypes) found.push(toDirent(fromName(name, encoding), kind, join(String(path), String(inside))));
        else found.push(fromName(join(String(inside), String(name)), encoding));
      }
      return found;
    });
  }
  return onPath('scandir', path, [], (list) => {
    const found = [];
    for (let at = 0; at < list.length; at += 2) {
      const name = fromName(list[at], encoding);
      found.push(withFileTypes ? toDirent(name, list[at + 1], shownPath) : name);
    }
    return found;
  });
}

// Of what is not a string, Node takes anything: it says how links are made on Windows only.
const linkTypes = ['dir', 'file', 'junction'];
function symlink(target, path, type) {
  if (typeof type === 'string' && !linkTypes.includes(type)) {
    const { codes: { ERR_FS_INVALID_SYMLINK_TYPE } } = require('internal/errors');
    throw new ERR_FS_INVALID_SYMLINK_TYPE(type);
  }
  return onPaths('symlink', toPath(target, 'target'), toPath(path), []);
}

function realpath(native) {
  return (path, options) => {
    const { encoding } = toOptions(options);
    path = toPath(path);
    if (!native) path = require('path').resolve(String(path));
    const call = onPath('realpath', path, [native], (real) => fromName(real, encoding));
    call.tellsAll = !native;
    return call;
  };
}

function rmdir(path, options) {
  path = toPath(path);
  if (options === undefined) return onPath('rmdir', path, []);
  return require('internal/fs/trees').prepareRmdir(path, options);
}

function writeFile(path, data, options) {
  options = toOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const bytes = toBytes(data, options.encoding);
  const mode = toMode(options.mode, 'mode', 0o666);
  const flags = toFlags(options.flag ?? 'w');
  if (isFd(path)) return onFile('writeFile', [toFd(path), flags, mode, bytes, flush]);
  return onPath('writeFile', toPath(path), [flags, mode, bytes, flush]);
}

function appendFile(path, data, options) {
  options = toOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'a' });
  return writeFile(path, data, { ...options, flag: options.flag ?? 'a' });
}

module.exports = {
  __proto__: null,
  access: [1, 1, (path, mode) => onPath('access', toPath(path), [toAccessMode(mode)])],
  appendFile: [2, 1, appendFile],
  chmod: [2, 0, (path, mode) => onPath('chmod', toPath(path), [toMode(mode, 'mode')])],
  chown: [3, 0, owner('chown')],
  close: [1, 0, (fd) => onFile('close', [toFd(fd)])],
  copyFile: [2, 1, (from, to, mode) =>
    onPaths('copyfile', toPath(from, 'src'), toPath(to, 'dest'), [toCopyMode(mode)])],
  fchmod: [2, 0, (fd, mode) => onFile('fchmod', [toFd(fd), toMode(mode, 'mode')])],
  fchown: [3, 0, (fd, uid, gid) => onFile('fchown', [toFd(fd), toId(uid, 'uid'), toId(gid, 'gid')])],
  fdatasync: [1, 0, (fd) => onFile('fdatasync', [toFd(fd)])],
  fstat: [1, 1, (fd, options) => {
    const { bigint = false } = statOptions(options);
    return onFile('fstat', [toFd(fd)], (list) => toStats(list, bigint));
  }],
  fsync: [1, 0, (fd) => onFile('fsync', [toFd(fd)])],
  ftruncate: [1, 1, (fd, length = 0) => onFile('ftruncate', [toFd(fd), size(length)])],
  futimes: [3, 0, (fd, atime, mtime) => onFile('futime', [toFd(fd), toTime(atime), toTime(mtime)])],
  lchown: [3, 0, owner('lchown')],
  link: [2, 0, (from, to) => onPaths('link', toPath(from, 'existingPath'), toPath(to, 'newPath'), [])],
  lstat: [1, 1, stat('lstat')],
  lutimes: [3, 0, times('lutime')],
  mkdir: [1, 1, mkdir],
  mkdtemp: [1, 1, mkdtemp],
  open: [1, 2, (path, flags, mode) =>
    onPath('open', toPath(path), [toFlags(flags ?? 'r'), toMode(mode, 'mode', 0o666)], (fd) => fd)],
  readdir: [1, 1, readdir],
  readFile: [1, 1, require('internal/fs/read_file').prepare],
  readlink: [1, 1, (path, options) => {
    const { encoding } = toOptions(options);
    return onPath('readlink', toPath(path, 'oldPath'), [], (target) => fromName(target, encoding));
  }],
  realpath: [1, 1, realpath(false)],
  realpathNative: [1, 1, realpath(true)],
  rename: [2, 0, (from, to) => onPaths('rename', toPath(from, 'oldPath'), toPath(to, 'newPath'), [])],
  rmdir: [1, 1, rmdir],
  stat: [1, 1, stat('stat')],
  statfs: [1, 1, (path, options) => {
    const { bigint = false } = statOptions(options);
    return onPath('statfs', toPath(path), [], (list) => toStatFs(list, bigint));
  }],
  symlink: [2, 1, symlink],
  truncate: [1, 1, (path, length = 0) => onPath('truncate', toPath(path), [size(length ?? 0)])],
  unlink: [1, 0, (path) => onPath('unlink', toPath(path), [])],
  utimes: [3, 0, times('utime')],
  writeFile: [2, 1, writeFile],
};
