// How the file system is asked for something: a call is prepared once, and then made at once, with a
// callback, or for a promise.
// Uses binding.perform, request, giveUpOperation, readFileForCallback, readFileForPromise, readFileSync, requestOnPath, cwd, nextTick.
'use strict';

const ENOENT = -2;
// The number of an operation that there is not.
const NOTHING = Number.MAX_SAFE_INTEGER;

/// A path as the world takes it: from the root. The program may be in another directory than the process.
function absolute(path) {
  if (typeof path !== 'string') {
    if (path.length === 0 || path[0] === 47) return path;
    const { Buffer } = require('buffer');
    return Buffer.concat([Buffer.from(`${binding.cwd}/`), path]);
  }
  return path === '' || path[0] === '/' ? path : `${binding.cwd}/${path}`;
}

function shown(told, given) {
  if (told === undefined || given === undefined) return told;
  return told === String(absolute(given)) ? String(given) : told;
}

/// The error for what the world says about a failed call.
function failure(fault, call) {
  if (fault instanceof Error) return fault;
  const { systemError, genericNodeError, codes } = require('internal/errors');
  if (fault.code === 'ERR_ACCESS_DENIED') {
    return new codes.ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
  }
  if (fault.code === 'ERR_FS_FILE_TOO_LARGE') return new codes.ERR_FS_FILE_TOO_LARGE(Number(fault.message));
  if (fault.code !== '') return genericNodeError(fault.message, { code: fault.code });
  const { errno, syscall } = fault;
  const path = call.pathless ? undefined : call.shownAs ?? (call.tellsAll ? fault.path : shown(fault.path, call.path));
  return systemError({ errno, syscall, path, dest: shown(fault.dest, call.dest) });
}

// What nobody waited for in a function has no frames to show; who waits for a promise has.
function later(fault, call, promise) {
  const { showWaiting, withoutFrames } = require('internal/stack/noting');
  // By then it is known what was made up.
  const asked = call.shownAs === undefined ? call : { ...call, shownAs: undefined };
  const isOfSystem = fault.code === '' && !(fault instanceof Error);
  const error = isOfSystem ? withoutFrames(failure, fault, asked) : failure(fault, asked);
  if (showWaiting(error, promise)) return error;
  const end = error.stack.indexOf('\n    at ');
  if (end > 0) Object.defineProperty(error, 'stack', { value: error.stack.slice(0, end), writable: true, configurable: true });
  return error;
}

/// What is sent.
function argumentsOf({ kind, path, dest, rest }) {
  if (path === undefined) return rest;
  // What a symbolic link says is kept as it is.
  const first = kind === 'fs.symlink' ? path : absolute(path);
  return dest === undefined ? [first, ...rest] : [first, absolute(dest), ...rest];
}

/// A call: `kind` with what is about to be sent; `path` and `dest` come first among it. `finish` makes
/// of the answer what the program gets.
class Call {
  constructor(kind, path, dest, rest, finish) {
    this.kind = kind;
    this.path = path;
    this.dest = dest;
    this.rest = rest;
    this.finish = finish;
    this.shownAs = undefined;
    this.mayMiss = false;
    // How a failure shows the path: not at all, from the root, or as it was given.
    this.pathless = false;
    this.tellsAll = false;
  }

  perform() {
    let value;
    try {
      value = binding.perform(this.kind, argumentsOf(this));
    } catch (fault) {
      if (this.mayMiss && fault.errno === ENOENT) return undefined;
      throw failure(fault, this);
    }
    return this.finish === undefined ? undefined : this.finish(value);
  }

  // Gives the number of the operation. `promiseOf` gives the promise that waits for it, if one does.
  request(callback, byPromise = false, promiseOf = undefined) {
    const answered = (fault, value) => {
      if (fault !== null) callback(later(fault, this, promiseOf?.()));
      else if (this.finish === undefined) callback(null);
      else callback(null, this.finish(value));
    };
    try {
      return binding.request(this.kind, argumentsOf(this), answered, byPromise, callback);
    } catch (fault) {
      // The program may not ask for it.
      const error = failure(fault, this);
      binding.nextTick(() => callback(error));
      return NOTHING;
    }
  }

  promise() {
    const promise = new Promise((resolve, reject) => {
      this.request((error, value) => (error === null ? resolve(value) : reject(error)), true, () => promise);
    });
    return promise;
  }
}

// What is asked for so often, and of so many files at a time, that it does without a `Call`: whole files as bytes, or as
// text if that is asked for, and calls of which a path is nearly all that is said. What a path means that is no string, or
// has a zero in it, is for others to say.

// A path from the root for a string that is none.
const rooted = (path) => (typeof path === 'string' && path !== '' && path[0] !== '/' ? `${binding.cwd}/${path}` : undefined);

/// Reads it for a callback; false if it does not.
exports.readPlainFile = (path, isText, callback) => {
  try {
    if (binding.readFileForCallback(path, isText, callback)) return true;
    const whole = rooted(path);
    return whole !== undefined && binding.readFileForCallback(whole, isText, callback, path);
  } catch (fault) {
    return refused(fault, path, callback);
  }
};

// The program may not ask for it.
function refused(fault, path, callback) {
  const error = failure(fault, { path });
  binding.nextTick(() => callback(error));
  return true;
}

/// Makes a call, which was prepared for some path, about another one that begins at the root; false if it does not.
exports.requestOnPath = ({ kind, finish, rest }, path, callback) => {
  try {
    return binding.requestOnPath(kind, finish, callback, path, rest[0]);
  } catch (fault) {
    return refused(fault, path, callback);
  }
};

/// The same for one that writes a file, with another text.
exports.requestToWrite = ({ kind, rest }, path, text, callback) => {
  try {
    return binding.requestOnPath(kind, undefined, callback, path, rest[0], rest[1], text, rest[3]);
  } catch (fault) {
    return refused(fault, path, callback);
  }
};

/// Reads it for a promise, which it gives; undefined if it does not.
exports.readPlainFileForPromise = (path, isText) => {
  try {
    const read = binding.readFileForPromise(path, isText);
    if (read !== undefined) return read;
    const whole = rooted(path);
    return whole === undefined ? undefined : binding.readFileForPromise(whole, isText, undefined, path);
  } catch (fault) {
    const error = failure(fault, { path });
    return new Promise((resolve, reject) => { binding.nextTick(() => reject(error)); });
  }
};

/// Reads it at once; undefined if it does not.
exports.readPlainFileSync = (path, isText) => {
  try {
    const read = binding.readFileSync(path, isText);
    if (read !== undefined) return read;
    const whole = rooted(path);
    return whole === undefined ? undefined : binding.readFileSync(whole, isText);
  } catch (fault) {
    throw failure(fault, { path });
  }
};

/// The error for who waited for one of them.
exports.failed = (fault, path, promise) => later(fault, { path }, promise);

/// A call about a path.
exports.onPath = (kind, path, rest, finish) => new Call(`fs.${kind}`, path, undefined, rest, finish);
/// A call about two paths.
exports.onPaths = (kind, path, dest, rest, finish) => new Call(`fs.${kind}`, path, dest, rest, finish);
/// A call about an open file, or about nothing.
exports.onFile = (kind, rest, finish) => new Call(`fs.${kind}`, undefined, undefined, rest, finish);
exports.absolute = absolute;
/// Functions of `fs` as the library made them, by which to tell whether the program has put others in their place.
exports.own = { __proto__: null };
exports.giveUp = (operation) => binding.giveUpOperation(operation);
