// What is known of a file, a file system, and an entry of a directory.
'use strict';

const {
  S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFBLK, S_IFIFO, S_IFLNK, S_IFSOCK,
  UV_DIRENT_FILE, UV_DIRENT_DIR, UV_DIRENT_LINK, UV_DIRENT_FIFO, UV_DIRENT_SOCKET, UV_DIRENT_CHAR, UV_DIRENT_BLOCK,
} = require('internal/fs/constants');

function StatsBase(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
}
Object.assign(StatsBase.prototype, {
  isDirectory() { return this._checkModeProperty(S_IFDIR); },
  isFile() { return this._checkModeProperty(S_IFREG); },
  isBlockDevice() { return this._checkModeProperty(S_IFBLK); },
  isCharacterDevice() { return this._checkModeProperty(S_IFCHR); },
  isSymbolicLink() { return this._checkModeProperty(S_IFLNK); },
  isFIFO() { return this._checkModeProperty(S_IFIFO); },
  isSocket() { return this._checkModeProperty(S_IFSOCK); },
});

const date = (milliseconds) => new Date(Math.round(Number(milliseconds)));

function setDates(stats) {
  stats.atime = date(stats.atimeMs);
  stats.mtime = date(stats.mtimeMs);
  stats.ctime = date(stats.ctimeMs);
  stats.birthtime = date(stats.birthtimeMs);
}

function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
  StatsBase.call(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  this.atimeMs = atimeMs;
  this.mtimeMs = mtimeMs;
  this.ctimeMs = ctimeMs;
  this.birthtimeMs = birthtimeMs;
  setDates(this);
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);
Object.setPrototypeOf(Stats, StatsBase);
Stats.prototype.isFile = StatsBase.prototype.isFile;
Stats.prototype._checkModeProperty = function(property) {
  return (this.mode & S_IFMT) === property;
};

function BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, ...times) {
  StatsBase.call(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  [this.atimeMs, this.mtimeMs, this.ctimeMs, this.birthtimeMs] = times.map((ns) => ns / 1_000_000n);
  [this.atimeNs, this.mtimeNs, this.ctimeNs, this.birthtimeNs] = times;
  setDates(this);
}
Object.setPrototypeOf(BigIntStats.prototype, StatsBase.prototype);
Object.setPrototypeOf(BigIntStats, StatsBase);
BigIntStats.prototype._checkModeProperty = function(property) {
  return (this.mode & BigInt(S_IFMT)) === BigInt(property);
};

/// Stats from the numbers that the world gives.
function toStats(list, bigint) {
  if (bigint) {
    const times = [10, 12, 14, 16].map((at) => BigInt(list[at]) * 1_000_000_000n + BigInt(list[at + 1]));
    return new BigIntStats(...list.slice(0, 10).map(BigInt), ...times);
  }
  const [dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks] = list;
  const time = (at) => list[at] * 1000 + list[at + 1] / 1_000_000;
  return new Stats(
    Number(dev), mode, nlink, uid, gid, Number(rdev), blksize, Number(ino), Number(size), Number(blocks),
    time(10), time(12), time(14), time(16));
}

function StatFs(type, bsize, blocks, bfree, bavail, files, ffree) {
  this.type = type;
  this.bsize = bsize;
  this.blocks = blocks;
  this.bfree = bfree;
  this.bavail = bavail;
  this.files = files;
  this.ffree = ffree;
}

function toStatFs(list, bigint) {
  return new StatFs(...list.map(bigint ? BigInt : Number));
}

const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this.path = path;
    this[kType] = type;
  }

  isDirectory() { return this[kType] === UV_DIRENT_DIR; }
  isFile() { return this[kType] === UV_DIRENT_FILE; }
  isBlockDevice() { return this[kType] === UV_DIRENT_BLOCK; }
  isCharacterDevice() { return this[kType] === UV_DIRENT_CHAR; }
  isSymbolicLink() { return this[kType] === UV_DIRENT_LINK; }
  isFIFO() { return this[kType] === UV_DIRENT_FIFO; }
  isSocket() { return this[kType] === UV_DIRENT_SOCKET; }
}

const types = {
  __proto__: null,
  [S_IFREG]: UV_DIRENT_FILE, [S_IFDIR]: UV_DIRENT_DIR, [S_IFLNK]: UV_DIRENT_LINK, [S_IFIFO]: UV_DIRENT_FIFO,
  [S_IFSOCK]: UV_DIRENT_SOCKET, [S_IFCHR]: UV_DIRENT_CHAR, [S_IFBLK]: UV_DIRENT_BLOCK,
};

/// An entry from the bits of a mode that say what it is.
const toDirent = (name, kind, path) => new Dirent(name, types[kind] ?? 0, path);

module.exports = { Stats, BigIntStats, StatFs, Dirent, toStats, toStatFs, toDirent };
