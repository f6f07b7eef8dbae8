// exec and execFile: a child whose output is gathered for a callback.
'use strict';

const { codes, genericNodeError } = require('internal/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const {
  checkTimeout, checkMaxBuffer, killSignal, refuseNulls,
} = require('internal/child_process/arguments');

const { ERR_CHILD_PROCESS_STDIO_MAXBUFFER } = codes;

/// What a command for a shell and its options mean as a file.
function normalizeExec(command, options, callback) {
  validateString(command, 'command');
  refuseNulls(command, 'command');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  options = { __proto__: null, ...options };
  options.shell = typeof options.shell === 'string' ? options.shell : true;
  return { file: command, options, callback };
}

function exec(command, options, callback) {
  const normal = normalizeExec(command, options, callback);
  return require('child_process').execFile(normal.file, normal.options, normal.callback);
}

function normalizeExecFile(args, options, callback) {
  if (Array.isArray(args)) {
    args = args.slice();
  } else if (args !== null && typeof args === 'object') {
    callback = options;
    options = args;
    args = [];
  } else if (typeof args === 'function') {
    callback = args;
    options = undefined;
    args = [];
  }
  args ??= [];
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  } else if (options !== undefined && options !== null) {
    validateObject(options, 'options');
  }
  options ??= {};
  if (callback !== undefined && callback !== null) validateFunction(callback, 'callback');
  if (options.argv0 !== undefined && options.argv0 !== null) {
    validateString(options.argv0, 'options.argv0');
    refuseNulls(options.argv0, 'options.argv0');
  }
  return [args, options, callback];
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
      const before = this.#length;
      this.#length += current ? require('buffer').Buffer.byteLength(chunk, current) : chunk.length;
      if (this.#length > maxBuffer) {
        this.#chunks.push(chunk.slice(0, maxBuffer - before));
        onFull();
      } else {
        this.#chunks.push(chunk);
      }
    });
  }

  value(encoding) {
    if (encoding || this.#stream?.readableEncoding) return this.#chunks.join('');
    return require('buffer').Buffer.concat(this.#chunks);
  }
}

function execFile(file, args, options, callback) {
  [args, options, callback] = normalizeExecFile(args, options, callback);
  options = {
    __proto__: null, encoding: 'utf8', timeout: 0, maxBuffer: 1024 * 1024, killSignal: 'SIGTERM', cwd: null, env: null,
    shell: false, ...options,
  };
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  options.killSignal = killSignal(options.killSignal);
  const { clearTimeout, guards: { setTimeout } } = require('internal/timers');

  const { cwd, env, gid, shell, signal, uid, windowsHide, windowsVerbatimArguments, argv0 } = options;
  const child = require('child_process').spawn(file, args, {
    cwd, env, gid, shell, signal, uid, argv0, windowsHide: Boolean(windowsHide),
    windowsVerbatimArguments: Boolean(windowsVerbatimArguments),
  });
  const encoding = options.encoding !== 'buffer' && require('buffer').Buffer.isEncoding(options.encoding)
    ? options.encoding : null;

  let killed = false;
  let exited = false;
  let timer;
  let failure = null;

  function finish(code = 0, signalName = null) {
    if (exited) return;
    exited = true;
    clearTimeout(timer);
    if (!callback) return;
    const stdout = out.value(encoding);
    const stderr = err.value(encoding);
    if (!failure && code === 0 && signalName === null) {
      callback(null, stdout, stderr);
      return;
    }
    const command = args.length === 0 ? file : `${file} ${args.join(' ')}`;
    failure ??= genericNodeError(`Command failed: ${command}\n${stderr}`, {
      code: code < 0 ? require('internal/uv_errors').errname(code) : code,
      killed: child.killed || killed,
      signal: signalName,
    });
    failure.cmd = command;
    callback(failure, stdout, stderr);
  }

  function kill() {
    child.stdout?.destroy();
    child.stderr?.destroy();
    killed = true;
    try {
      child.kill(options.killSignal);
    } catch (error) {
      failure ??= error;
      finish();
    }
  }

  const overflow = (name) => () => {
    failure = new ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
    kill();
  };
  const out = new Gathered(child.stdout, encoding, options.maxBuffer, overflow('stdout'));
  const err = new Gathered(child.stderr, encoding, options.maxBuffer, overflow('stderr'));
  if (options.timeout > 0) {
    timer = setTimeout(() => {
      kill();
      timer = undefined;
    }, options.timeout);
  }
  child.addListener('close', finish);
  child.addListener('error', (error) => {
    failure = error;
    child.stdout?.destroy();
    child.stderr?.destroy();
    finish();
  });
  return child;
}

/// What `util.promisify` makes of them: the promise knows its child.
function promise(original, args) {
  let settle;
  const made = new Promise((resolve, reject) => { settle = { resolve, reject }; });
  made.child = original(...args, (error, stdout, stderr) => {
    if (error !== null) settle.reject(Object.assign(error, { stdout, stderr }));
    else settle.resolve({ stdout, stderr });
  });
  return made;
}

module.exports = { exec, execFile, normalizeExec, promise };
