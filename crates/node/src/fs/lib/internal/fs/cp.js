// Copying trees. One description of the work serves both forms: a generator that yields the calls it
// needs, and is given their answers, at once or later. Later it asks as often as Node does (rule LOOP-7).
// Uses binding.beforeTrips.
'use strict';

const calls = require('internal/fs/calls');
const { onPaths } = require('internal/fs/gate');
const { toCopyMode, toPath } = require('internal/fs/arguments');
const { validateBoolean, validateFunction, validateObject } = require('internal/validators');
const { codes } = require('internal/errors');
const { isPromise } = require('internal/util/types');
const { dirname, isAbsolute, join, parse, resolve, sep } = require('path');

const prepare = (name, ...args) => calls[name][2](...args);

const EEXIST = 17, EINVAL = 22, EISDIR = 21, ENOTDIR = 20;

exports.cpOptions = (options) => {
  if (options === undefined) options = {};
  validateObject(options, 'options');
  options = {
    dereference: false, errorOnExist: false, filter: undefined, force: true, mode: 0, preserveTimestamps: false,
    recursive: false, verbatimSymlinks: false, ...options,
  };
  for (const name of ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks']) {
    validateBoolean(options[name], `options.${name}`);
  }
  options.mode = toCopyMode(options.mode);
  if (options.dereference && options.verbatimSymlinks) {
    throw new (require('internal/errors').codes.ERR_INCOMPATIBLE_OPTION_PAIR)('dereference', 'verbatimSymlinks');
  }
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  return options;
};

function refuse(code, message, path, errno, name) {
  return new codes[code]({ message, path, syscall: 'cp', errno, code: name });
}

const same = (one, other) => one.ino !== 0n && one.ino === other.ino && one.dev === other.dev;

function isInside(from, to) {
  const parts = (path) => resolve(path).split(sep).filter(Boolean);
  const inner = parts(to);
  return parts(from).every((part, at) => inner[at] === part);
}

// The answer, or undefined if nothing is there.
function* look(name, path) {
  try {
    return yield prepare(name, path, { bigint: true });
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function* check(from, to, options) {
  const stat = options.dereference ? 'stat' : 'lstat';
  const both = [from, to].map((path) => prepare(stat, path, { bigint: true }));
  const [source, target] = options.asksLess ? [yield both[0], yield* look(stat, to)] : yield { both };
  if (target !== undefined) {
    if (same(source, target)) throw refuse('ERR_FS_CP_EINVAL', 'src and dest cannot be the same', to, EINVAL, 'EINVAL');
    if (source.isDirectory() && !target.isDirectory()) {
      throw refuse('ERR_FS_CP_DIR_TO_NON_DIR', `cannot overwrite non-directory ${to} with directory ${from}`, to, EISDIR, 'EISDIR');
    }
    if (!source.isDirectory() && target.isDirectory()) {
      throw refuse('ERR_FS_CP_NON_DIR_TO_DIR', `cannot overwrite directory ${to} with non-directory ${from}`, to, ENOTDIR, 'ENOTDIR');
    }
  }
  if (source.isDirectory() && isInside(from, to)) {
    throw refuse('ERR_FS_CP_EINVAL', `cannot copy ${from} to a subdirectory of self ${to}`, to, EINVAL, 'EINVAL');
  }
  return [source, target];
}

// No directory above the target may be the source, by whatever name.
function* checkParents(from, source, to) {
  for (let above = resolve(dirname(to)); above !== resolve(dirname(from)) && above !== parse(above).root; above = dirname(above)) {
    const stats = yield* look('stat', above);
    if (stats === undefined) return;
    if (same(source, stats)) {
      throw refuse('ERR_FS_CP_EINVAL', `cannot copy ${from} to a subdirectory of self ${to}`, to, EINVAL, 'EINVAL');
    }
  }
}

function* copyTree(from, to, options) {
  if (!(yield* wanted(from, to, options))) return;
  const [source, target] = yield* check(from, to, options);
  yield* checkParents(from, source, to);
  const parent = dirname(to);
  if ((yield* look('stat', parent)) === undefined) yield prepare('mkdir', parent, { recursive: true });
  yield* copyEntry(from, to, source, target, options);
}

function* wanted(from, to, options) {
  return options.filter === undefined || (yield { run: () => options.filter(from, to) });
}

function* copyEntry(from, to, source, target, options) {
  if (!options.asksLess) source = yield prepare(options.dereference ? 'stat' : 'lstat', from, { bigint: true });
  if (source.isDirectory()) {
    if (!options.recursive) {
      throw new codes.ERR_FS_EISDIR({
        message: `${from} is a directory (not copied)`, path: from, syscall: 'cp', errno: options.atOnce ? EINVAL : EISDIR, code: 'EISDIR',
      });
    }
    yield* copyDirectory(from, to, source, target, options);
  } else if (source.isFile() || source.isCharacterDevice() || source.isBlockDevice()) {
    yield* copyFile(from, to, source, target, options);
  } else if (source.isSymbolicLink()) {
    yield* copyLink(from, to, target, options);
  } else if (source.isSocket()) {
    throw refuse('ERR_FS_CP_SOCKET', `cannot copy a socket file: ${to}`, to, EINVAL, 'EINVAL');
  } else if (source.isFIFO()) {
    throw refuse('ERR_FS_CP_FIFO_PIPE', `cannot copy a FIFO pipe: ${to}`, to, EINVAL, 'EINVAL');
  } else {
    throw refuse('ERR_FS_CP_UNKNOWN', `cannot copy an unknown file type: ${to}`, to, EINVAL, 'EINVAL');
  }
}

function* copyFile(from, to, source, target, options) {
  if (target !== undefined) {
    if (options.force) {
      yield prepare('unlink', to);
    } else {
      if (options.errorOnExist) throw refuse('ERR_FS_CP_EEXIST', `${to} already exists`, to, EEXIST, 'EEXIST');
      return;
    }
  }
  yield onPaths('copyfile', from, to, [options.mode]);
  if (options.preserveTimestamps) {
    const seconds = (ns) => Number(ns) / 1e9;
    if (!options.asksLess) source = yield prepare('stat', from, { bigint: true });
    yield prepare('utimes', to, seconds(source.atimeNs), seconds(source.mtimeNs));
  }
  yield prepare('chmod', to, Number(source.mode) & 0o7777);
}

function* copyDirectory(from, to, source, target, options) {
  if (target === undefined) yield prepare('mkdir', to);
  if (options.asksLess) {
    for (const name of yield prepare('readdir', from)) yield* copyInner(from, to, name, options);
  } else {
    const directory = yield require('internal/fs/dir').prepare(from);
    for (let entry; (entry = yield { run: () => directory.read() }) !== null;) {
      yield* copyInner(from, to, entry.name, options);
    }
    yield { run: () => directory.close() };
  }
  if (target === undefined) yield prepare('chmod', to, Number(source.mode) & 0o7777);
}

function* copyInner(from, to, name, options) {
  const [inner, outer] = [join(from, name), join(to, name)];
  if (!(yield* wanted(inner, outer, options))) return;
  const [stats, there] = yield* check(inner, outer, options);
  yield* copyEntry(inner, outer, stats, there, options);
}

function* copyLink(from, to, target, options) {
  let leads = yield prepare('readlink', from);
  if (!options.verbatimSymlinks && !isAbsolute(leads)) leads = resolve(dirname(from), leads);
  if (target === undefined) return yield prepare('symlink', leads, to);
  let there;
  try {
    there = yield prepare('readlink', to);
  } catch (error) {
    if (error.code === 'EINVAL' || error.code === 'UNKNOWN') return yield prepare('symlink', leads, to);
    throw error;
  }
  if (!isAbsolute(there)) there = resolve(dirname(to), there);
  if (isInside(leads, there)) {
    throw refuse('ERR_FS_CP_EINVAL', `cannot copy ${leads} to a subdirectory of self ${there}`, to, EINVAL, 'EINVAL');
  }
  // Node's two forms look at different ends here.
  const stats = yield prepare('stat', options.atOnce ? to : from);
  if (stats.isDirectory() && isInside(there, leads)) {
    throw refuse('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${there} with ${leads}`, to, EINVAL, 'EINVAL');
  }
  yield prepare('unlink', to);
  yield prepare('symlink', leads, to);
}

const isMissing = (error) => error.code === 'ENOENT';

// What is there of two, of which the second may be missing.
async function awaitBoth([first, second]) {
  const ifThere = (error) => {
    if (!isMissing(error)) throw error;
  };
  return Promise.all([first.promise(), second.promise().catch(ifThere)]);
}

exports.cpSync = (from, to, options) => {
  options = { ...exports.cpOptions(options), atOnce: true, asksLess: true };
  const work = copyTree(String(toPath(from, 'src')), String(toPath(to, 'dest')), options);
  for (let step = work.next(); !step.done;) {
    let answer;
    try {
      const { run } = step.value;
      answer = run !== undefined ? run() : step.value.perform();
      if (run !== undefined && isPromise(answer)) throw new codes.ERR_INVALID_RETURN_VALUE('boolean', 'filter', answer);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
};

exports.cpPromise = async (from, to, options) => {
  options = { ...exports.cpOptions(options), asksLess: binding.beforeTrips };
  const work = copyTree(String(toPath(from, 'src')), String(toPath(to, 'dest')), options);
  for (let step = work.next(); !step.done;) {
    let answer;
    try {
      const { both, run } = step.value;
      answer = await (run !== undefined ? run() : both !== undefined ? awaitBoth(both) : step.value.promise());
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
};
