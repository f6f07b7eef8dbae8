// Open files as objects, and what promises do with them.
// Uses binding.beforeTrips.
'use strict';

const EventEmitter = require('events');
const process = require('internal/process');
const calls = require('internal/fs/calls');
const { onFile } = require('internal/fs/gate');
const bytes = require('internal/fs/bytes');
const { atLevel, levelIn } = require('internal/levels');
const { check } = require('internal/fs/abort');
const { toBytes, toFlags, toMode, toOptions, toPath } = require('internal/fs/arguments');
const { codes: { ERR_INVALID_STATE, ERR_INVALID_ARG_TYPE }, systemError } = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');
const { kTransfer, kWire } = require('internal/transfer');
const { validateObject } = require('internal/validators');

const EBADF = -9;

// What others need of a handle's inside: `is`, and for streams `use` and `leave`.
const inside = {};

/// What a method is called on, which must be a handle.
function own(handle) {
  if (inside.is(handle)) return handle;
  throw new (require('internal/errors').codes.ERR_INTERNAL_ASSERTION)('handle must be an instance of FileHandle');
}

// Files of handles that are gone are closed, with a warning.
const forgotten = new FinalizationRegistry(({ fd }) => {
  if (fd === -1) return;
  calls.close[2](fd).promise().catch(() => {});
  process.emitWarning(`Closing file descriptor ${fd} on garbage collection`);
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(
    'Closing a FileHandle object on garbage collection is deprecated. Please close FileHandle objects explicitly using '
      + 'FileHandle.prototype.close(). In the future, an error will be thrown if a file descriptor is closed during garbage collection.',
    'DeprecationWarning', 'DEP0137');
});
let hasWarned = false;

class FileHandle extends EventEmitter {
  #fd;
  #isClosing = false;
  #reading = false;
  // How many calls and streams use it, and what closes it when the last of them is through with it.
  #uses = 0;
  #closeLater = undefined;
  #closed = undefined;

  // What is left when the program lets go of it without closing it: the file, until it is closed or given away.
  #rest;

  constructor(fd) {
    super();
    this.#fd = fd;
    this.#rest = { fd };
    forgotten.register(this, this.#rest);
  }

  static {
    inside.is = (value) => #fd in Object(value);
    inside.use = (handle) => { handle.#uses++; };
    inside.leave = (handle) => {
      if (--handle.#uses === 0) handle.#closeLater?.();
    };
  }

  get fd() { return this.#fd; }
  getAsyncId() { return -1; }

  /// Does something with the open file, at the level that the options name.
  #call(syscall, options, prepare) {
    if (this.#fd === -1) {
      const error = systemError({ errno: EBADF, syscall });
      error.message = 'file closed';
      return Promise.reject(error);
    }
    const level = levelIn(options);
    this.#uses++;
    const done = atLevel(level, () => prepare(this.#fd));
    const leave = () => inside.leave(this);
    done.then(leave, leave);
    return done;
  }

  #plain(name, options, ...args) {
    return this.#call(name, options, async (fd) => calls[name][2](fd, ...args).promise());
  }

  async chmod(mode, options = undefined) { return own(this).#plain('fchmod', options, mode); }
  async chown(uid, gid, options = undefined) { return own(this).#plain('fchown', options, uid, gid); }
  async datasync(options = undefined) { return own(this).#plain('fdatasync', options); }
  async sync(options = undefined) { return own(this).#plain('fsync', options); }
  async stat(options) { return own(this).#plain('fstat', options, options); }
  async truncate(length, options = undefined) { return own(this).#plain('ftruncate', options, length); }
  async utimes(atime, mtime, options = undefined) { return own(this).#plain('futimes', options, atime, mtime); }

  async readFile(options) {
    return own(this).#call('readFile', options, (fd) => require('internal/fs/read_file').promiseOfOpen(fd, options));
  }

  async writeFile(data, options) {
    return own(this).#call('writeFile', options, async () => writeFile(this, data, options, 'w'));
  }

  async appendFile(data, options) {
    return own(this).#call('writeFile', options, async () => writeFile(this, data, options, 'a'));
  }

  async read(...args) {
    return own(this).#call('read', args.at(-1), async (fd) => {
      const [buffer, offset, length, position] = bytes.readArgumentsOfHandle(args);
      const call = bytes.prepareRead(fd, buffer, offset, length, position);
      return { __proto__: null, bytesRead: call === undefined ? 0 : await call.promise(), buffer };
    });
  }

  async readv(buffers, position, options = undefined) {
    return own(this).#call('readv', options, async (fd) => (
      { __proto__: null, bytesRead: await bytes.prepareReadv(fd, buffers, position).promise(), buffers }));
  }

  async write(buffer, ...args) {
    return own(this).#call('write', args.at(-1), async (fd) => {
      if (buffer?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
      const bytesWritten = await bytes.prepareWrite(fd, buffer, ...args).promise();
      return { __proto__: null, bytesWritten, buffer };
    });
  }

  async writev(buffers, position, options = undefined) {
    return own(this).#call('writev', options, async (fd) => {
      if (buffers?.length === 0) return { __proto__: null, bytesWritten: 0, buffers };
      return { __proto__: null, bytesWritten: await bytes.prepareWritev(fd, buffers, position).promise(), buffers };
    });
  }

  [kTransfer]() {
    if (this.#fd === -1 || this.#uses > 0) {
      const { DOMException } = require('internal/domexception');
      const why = this.#isClosing || this.#uses > 0 ? 'Cannot transfer FileHandle while in use' : 'Cannot transfer object of unsupported type.';
      throw new DOMException(why, 'DataCloneError');
    }
    const value = new FileHandle(this.#fd);
    value.#rest.fd = -1;
    const commit = () => {
      value.#rest.fd = this.#fd;
      this.#fd = this.#rest.fd = -1;
    };
    return { value, commit };
  }

  [kWire]() {
    onFile('give', [this.#fd]).perform();
    this.#rest.fd = -1;
    return ['FileHandle', this.#fd];
  }

  close() {
    // Who closes it once more does not wait for who closes it.
    if (this.#fd === -1) return Promise.resolve();
    if (this.#closed !== undefined) return this.#closed;
    if (this.#uses === 0) {
      const closed = this.#close();
      this.emit('close');
      return closed;
    }
    this.#closed = new Promise((resolve, reject) => {
      this.#closeLater = () => this.#close().then(resolve, reject);
    });
    this.emit('close');
    return this.#closed;
  }

  #close() {
    const fd = this.#fd;
    this.#fd = this.#rest.fd = -1;
    this.#isClosing = true;
    return calls.close[2](fd).promise().then(() => { this.#isClosing = false; });
  }

  createReadStream(options = undefined) {
    const { ReadStream } = require('internal/fs/streams');
    return atLevel(levelIn(options), () => new ReadStream(undefined, { ...options, fd: this }));
  }

  createWriteStream(options = undefined) {
    const { WriteStream } = require('internal/fs/streams');
    return atLevel(levelIn(options), () => new WriteStream(undefined, { ...options, fd: this }));
  }

  readLines(options = undefined) {
    return require('readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  readableWebStream(options = {}) {
    if (this.#fd === -1) throw new ERR_INVALID_STATE('The FileHandle is closed');
    if (this.#reading) throw new ERR_INVALID_STATE('The FileHandle is locked');
    this.#reading = true;
    validateObject(options, 'options');
    const level = levelIn(options);
    const { ReadableStream } = require('stream/web');
    // The stream uses the file until its own end or the file's.
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      this.removeListener('close', closed);
      inside.leave(this);
    };
    let controller;
    const closed = () => {
      if (isOver) return;
      finish();
      controller.close();
      // Who reads into a buffer of their own is told that nothing is in it.
      controller.byobRequest?.respond(0);
    };
    inside.use(this);
    this.once('close', closed);
    return new ReadableStream({
      type: options.type,
      start: (given) => { controller = given; },
      pull: async () => {
        if (isOver) return;
        const buffer = new Uint8Array(65536);
        // It is not closed while it is read.
        inside.use(this);
        let bytesRead;
        try {
          ({ bytesRead } = await atLevel(level, () => this.read(buffer, 0, buffer.byteLength)));
        } catch (error) {
          finish();
          throw error;
        } finally {
          inside.leave(this);
        }
        if (isOver) return;
        if (bytesRead === 0) closed();
        else controller.enqueue(options.type === 'bytes' ? buffer.subarray(0, bytesRead) : buffer.buffer.slice(0, bytesRead));
      },
      cancel: finish,
    });
  }
}
if (Symbol.asyncDispose !== undefined) {
  Object.defineProperty(FileHandle.prototype, Symbol.asyncDispose, {
    value: async function() { return this.close(); }, writable: true, configurable: true,
  });
}

const isIterable = (data) => data !== null && typeof data === 'object' && !isArrayBufferView(data)
  && (typeof data[Symbol.asyncIterator] === 'function' || typeof data[Symbol.iterator] === 'function');

async function writeIterable(handle, data, encoding, signal) {
  check(signal);
  for await (const chunk of data) {
    check(signal);
    let rest = typeof chunk === 'string' ? toBytes(chunk, encoding) : chunk;
    if (!isArrayBufferView(rest)) throw new ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    rest = toBytes(rest);
    while (rest.length > 0) {
      const { bytesWritten } = await handle.write(rest, 0, rest.length);
      rest = rest.subarray(bytesWritten);
      check(signal);
    }
  }
}

/// Writes or appends a whole file: bytes, a text, or what comes from an iterable.
async function writeFile(path, data, options, flag) {
  options = toOptions(options, { encoding: 'utf8', mode: 0o666, flag, flush: false });
  const { signal } = options;
  const isHandle = path instanceof FileHandle;
  if (!isIterable(data)) {
    const call = calls[flag === 'a' ? 'appendFile' : 'writeFile'][2](isHandle ? path.fd : toPath(path), data, options);
    // Nothing to write, and nothing to open or close.
    if (isHandle && !binding.beforeTrips && !signal?.aborted && call.rest.at(-2).length === 0) return undefined;
    call.rest.push(true);
    return require('internal/fs/abort').promise(call, signal);
  }
  if (isHandle) return writeIterable(path, data, options.encoding, signal);
  check(signal);
  const flags = toFlags(options.flag ?? flag);
  const fd = await calls.open[2](toPath(path), flags, toMode(options.mode, 'mode', 0o666)).promise();
  const handle = new FileHandle(fd);
  try {
    await writeIterable(handle, data, options.encoding, signal);
    if (options.flush) await handle.sync();
  } finally {
    await handle.close();
  }
}

module.exports = { FileHandle, writeFile, inside };
