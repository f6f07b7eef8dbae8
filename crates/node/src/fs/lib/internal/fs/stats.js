// What is known of a file, a file system, and an entry of a directory.
'use strict';

const constants = require('internal/fs/constants');

const { S_IFMT } = constants;

// What a file can be: the question, and what the bits of a mode and the type of an entry are called in the constants.
const kinds = [
  ['isDirectory', 'DIR', 'DIR'],
  ['isFile', 'REG', 'FILE'],
  ['isBlockDevice', 'BLK', 'BLOCK'],
  ['isCharacterDevice', 'CHR', 'CHAR'],
  ['isSymbolicLink', 'LNK', 'LINK'],
  ['isFIFO', 'IFO', 'FIFO'],
  ['isSocket', 'SOCK', 'SOCKET'],
].map(([question, bits, type]) => ({
  question,
  bits: constants[`S_IF${bits}`],
  type: constants[`UV_DIRENT_${type}`],
}));

function StatsBase() {}
for (const { question, bits } of kinds) {
  Object.assign(StatsBase.prototype, {
    [question]() {
      return this._checkModeProperty(bits);
    },
  });
}

const date = (milliseconds) => new Date(Math.round(Number(milliseconds)));

/// Stats by hand, as old programs make them. Those of the file system come from `plainStats`.
function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
  Object.assign(this, plainStats([dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks], atimeMs, mtimeMs, ctimeMs, birthtimeMs));
}

function BigIntStats() {}

for (const Class of [Stats, BigIntStats]) {
  Object.setPrototypeOf(Class, StatsBase);
  Object.setPrototypeOf(Class.prototype, StatsBase.prototype);
}
Object.assign(Stats.prototype, {
  isFile: StatsBase.prototype.isFile,
  _checkModeProperty(bits) {
    return (this.mode & S_IFMT) === bits;
  },
});
BigIntStats.prototype._checkModeProperty = function(bits) {
  return Number(this.mode & BigInt(S_IFMT)) === bits;
};

// A literal is made faster than an object is filled, and programs ask for many of these.
function plainStats(counts, atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
  return {
    __proto__: Stats.prototype,
    dev: counts[0], mode: counts[1], nlink: counts[2], uid: counts[3], gid: counts[4],
    rdev: counts[5], blksize: counts[6], ino: counts[7], size: counts[8], blocks: counts[9],
    atimeMs, mtimeMs, ctimeMs, birthtimeMs,
    atime: date(atimeMs), mtime: date(mtimeMs), ctime: date(ctimeMs), birthtime: date(birthtimeMs),
  };
}

const counted = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks'];
const timed = ['atime', 'mtime', 'ctime', 'birthtime'];

function bigStats(list) {
  const stats = new BigIntStats();
  counted.forEach((name, at) => { stats[name] = BigInt(list[at]); });
  const times = timed.map((name, at) => BigInt(list[10 + 2 * at]) * 1_000_000_000n + BigInt(list[11 + 2 * at]));
  timed.forEach((name, at) => { stats[`${name}Ms`] = times[at] / 1_000_000n; });
  timed.forEach((name, at) => { stats[`${name}Ns`] = times[at]; });
  timed.forEach((name) => { stats[name] = date(stats[`${name}Ms`]); });
  return stats;
}

const timeAt = (list, at) => list[at] * 1000 + list[at + 1] / 1_000_000;

/// Stats from what the world gives: counts, of which the large ones are strings, and times as seconds and nanoseconds.
function toStats(list, bigint) {
  if (bigint) return bigStats(list);
  list[0] = Number(list[0]);
  list[5] = Number(list[5]);
  list[7] = Number(list[7]);
  list[8] = Number(list[8]);
  list[9] = Number(list[9]);
  return plainStats(list, timeAt(list, 10), timeAt(list, 12), timeAt(list, 14), timeAt(list, 16));
}

function StatFs() {}

function toStatFs(list, bigint) {
  const convert = bigint ? BigInt : Number;
  const stats = new StatFs();
  ['type', 'bsize', 'blocks', 'bfree', 'bavail', 'files', 'ffree'].forEach((name, at) => { stats[name] = convert(list[at]); });
  return stats;
}

const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this.path = path;
    this[kType] = type;
  }
}
for (const { question, type } of kinds) {
  const { [question]: value } = { [question]() { return this[kType] === type; } };
  Object.defineProperty(Dirent.prototype, question, { value, configurable: true, writable: true });
}

const typeOf = new Map(kinds.map(({ bits, type }) => [bits, type]));

/// An entry from the bits of a mode that say what it is.
const toDirent = (name, bits, path) => new Dirent(name, typeOf.get(bits) ?? 0, path);

module.exports = { Stats, Dirent, toStats, toStatFs, toDirent };
