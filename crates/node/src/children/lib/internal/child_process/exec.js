// exec and execFile: a child whose output is gathered for a callback (rules CHILD-11 to CHILD-14).
'use strict';

const { codes: { ERR_CHILD_PROCESS_STDIO_MAXBUFFER }, genericNodeError } = require('internal/errors');
const { validateFunction, validateObject } = require('internal/validators');
const { isMissing, checkText, checkTimeout, checkMaxBuffer, killSignal } = require('internal/child_process/arguments');

/// The options of a command for a shell.
function shellOptions(command, options) {
  checkText(command, 'command');
  const shell = typeof options?.shell === 'string' ? options.shell : true;
  return { __proto__: null, ...options, shell };
}

function exec(command, options, callback) {
  const hasOptions = typeof options !== 'function';
  const settings = shellOptions(command, hasOptions ? options : undefined);
  return require('child_process').execFile(command, settings, hasOptions ? callback : options);
}

const isObject = (value) => typeof value === 'object' && value !== null;

/// What may come after the file, each of which may be left out: a list, options, a callback.
function sortArguments(...rest) {
  let args = [];
  if (Array.isArray(rest[0])) args = [...rest.shift()];
  else if (typeof rest[0] !== 'function' && !isObject(rest[0])) args = rest.shift() ?? [];
  let options = {};
  if (typeof rest[0] !== 'function') options = rest.shift() ?? {};
  validateObject(options, 'options');
  const [callback] = rest;
  if (!isMissing(callback)) validateFunction(callback, 'callback');
  if (!isMissing(options.argv0)) checkText(options.argv0, 'options.argv0');
  return { args, options, callback };
}

/// What a stream has given so far, up to a limit.
class Gathered {
  #chunks = [];
  #length = 0;
  #stream;

  constructor(stream, encoding, maxBuffer, onFull) {
    this.#stream = stream;
    if (!stream) return;
    if (encoding) stream.setEncoding(encoding);
    stream.on('data', (chunk) => {
      // The program may have chosen another encoding meanwhile.
      const current = stream.readableEncoding;
      const room = maxBuffer - this.#length;
      this.#length += current ? require('buffer').Buffer.byteLength(chunk, current) : chunk.length;
      const isTooMuch = this.#length > maxBuffer;
      this.#chunks.push(isTooMuch ? chunk.slice(0, room) : chunk);
      if (isTooMuch) onFull();
    });
  }

  value(encoding) {
    if (encoding || this.#stream?.readableEncoding) return this.#chunks.join('');
    return require('buffer').Buffer.concat(this.#chunks);
  }
}

const defaults = {
  __proto__: null, encoding: 'utf8', timeout: 0, maxBuffer: 1024 * 1024, killSignal: 'SIGTERM', cwd: null, env: null, shell: false,
};

/// What `spawn` is told of the options.
function spawnOptions({ cwd, env, gid, priority, shell, signal, uid, argv0, windowsHide, windowsVerbatimArguments }) {
  return {
    cwd, env, gid, priority, shell, signal, uid, argv0,
    windowsHide: Boolean(windowsHide), windowsVerbatimArguments: Boolean(windowsVerbatimArguments),
  };
}

/// A child, until its callback was called.
class Execution {
  #command;
  #encoding;
  #signal;
  #callback;
  #out;
  #err;
  #timer = undefined;
  #isOver = false;
  // Whether it was killed from here.
  #wasKilled = false;
  #error = null;

  constructor(file, args, options, callback) {
    const { encoding, maxBuffer, timeout } = options;
    this.#encoding = encoding !== 'buffer' && require('buffer').Buffer.isEncoding(encoding) ? encoding : null;
    this.#signal = options.killSignal;
    this.#callback = callback;
    const child = require('child_process').spawn(file, args, spawnOptions(options));
    this.child = child;
    this.#command = [file, ...args].join(' ');
    this.#out = this.#gather('stdout', maxBuffer);
    this.#err = this.#gather('stderr', maxBuffer);
    if (timeout > 0) this.#timer = require('internal/timers').setTimeout(() => this.#kill(), timeout);
    child.addListener('close', (code, signal) => this.#finish(code, signal));
    child.addListener('error', (error) => {
      this.#error = error;
      this.#closeStreams();
      this.#finish(0, null);
    });
  }

  #gather(name, maxBuffer) {
    return new Gathered(this.child[name], this.#encoding, maxBuffer, () => {
      this.#error = new ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
      this.#kill();
    });
  }

  #closeStreams() {
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.destroy();
  }

  #kill() {
    this.#closeStreams();
    this.#wasKilled = true;
    try {
      this.child.kill(this.#signal);
    } catch (error) {
      this.#error ??= error;
      this.#finish(0, null);
    }
  }

  #finish(code, signal) {
    if (this.#isOver) return;
    this.#isOver = true;
    require('internal/timers').clearTimeout(this.#timer);
    if (!this.#callback) return;
    const stdout = this.#out.value(this.#encoding);
    const stderr = this.#err.value(this.#encoding);
    this.#callback(this.#failure(code, signal, stderr), stdout, stderr);
  }

  /// Rule CHILD-12.
  #failure(code, signal, stderr) {
    const isWell = this.#error === null && code === 0 && signal === null;
    if (isWell) return null;
    const error = this.#error ?? genericNodeError(`Command failed: ${this.#command}\n${stderr}`, {
      code: code < 0 ? require('internal/uv_errors').errname(code) : code,
      killed: this.child.killed || this.#wasKilled,
      signal,
    });
    error.cmd = this.#command;
    return error;
  }
}

function execFile(file, ...rest) {
  const { args, options, callback } = sortArguments(...rest);
  const settings = { ...defaults, __proto__: null, ...options };
  checkTimeout(settings.timeout);
  checkMaxBuffer(settings.maxBuffer);
  settings.killSignal = killSignal(settings.killSignal);
  return new Execution(file, args, settings, callback).child;
}

/// What `util.promisify` makes of them: the promise knows its child.
function promise(original, args) {
  const { promise: made, resolve, reject } = Promise.withResolvers();
  made.child = original(...args, (error, stdout, stderr) => {
    if (error === null) resolve({ stdout, stderr });
    else reject(Object.assign(error, { stdout, stderr }));
  });
  return made;
}

module.exports = { exec, execFile, shellOptions, promise };
