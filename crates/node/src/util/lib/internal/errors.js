// Node's errors: a class per code, and the errors of failed system calls.

const { table, System } = require('internal/error_messages');

/// What errors with a code have, whose stacks begin with it.
const kIsNodeError = Symbol('kIsNodeError');

function hide(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });
}

function toString() {
  return `${this.name} [${this.code}]: ${this.message}`;
}

function makeClass(code, Base, message) {
  class NodeError extends Base {
    constructor(...args) {
      super();
      this.code = code;
      const text = typeof message === 'string' ? message : Reflect.apply(message, this, args);
      hide(this, 'message', text);
    }
  }
  // Programs see the plain class, as with errors that the language throws itself.
  hide(NodeError.prototype, 'constructor', Base);
  hide(NodeError.prototype, 'toString', toString);
  hide(NodeError.prototype, kIsNodeError, true);
  return NodeError;
}

/// An error that tells of a failed system call; made with { code, message, syscall, errno, path, dest }.
class SystemError extends Error {
  constructor(prefix, context) {
    super();
    let text = `${prefix}: ${context.syscall} returned ${context.code} (${context.message})`;
    if (context.path !== undefined) text += ` ${context.path}`;
    if (context.dest !== undefined) text += ` => ${context.dest}`;
    hide(this, 'message', text);
  }
}

function makeSystemClass(code, prefix) {
  class NodeError extends SystemError {
    constructor(context) {
      super(prefix, context);
      this.code = code;
      hide(this, 'name', 'SystemError');
      Object.defineProperty(this, 'info', { value: context, enumerable: true, configurable: true, writable: false });
      // Setting one of them changes what the call is said to have been.
      for (const key of ['errno', 'syscall', 'path', 'dest']) {
        if (context[key] === undefined && key !== 'errno' && key !== 'syscall') continue;
        Object.defineProperty(this, key, {
          get() { return context[key]; },
          set(value) { context[key] = value; },
          enumerable: true,
          configurable: true,
        });
      }
      Object.defineProperty(this, kIsNodeError, { value: true, enumerable: false, configurable: true, writable: false });
    }
  }
  hide(NodeError.prototype, 'toString', toString);
  return NodeError;
}

function classFor(code) {
  const [Base, message, ...others] = table[code];
  if (Base === System) return makeSystemClass(code, message);
  const made = makeClass(code, Base, message);
  for (const Other of others) made[Other.name] = makeClass(code, Other, message);
  return made;
}

// A class is made when it is first asked for: a program meets few of them.
const codes = {};
for (const code of Object.keys(table)) {
  Object.defineProperty(codes, code, {
    get() {
      const value = classFor(code);
      Object.defineProperty(codes, code, { value, writable: true, enumerable: true, configurable: true });
      return value;
    },
    enumerable: true,
    configurable: true,
  });
}

/// What an aborted operation fails with.
class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    const isObject = typeof options === 'object' && options !== null;
    if (options !== undefined && !isObject) throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    super(message, options);
    Object.assign(this, { code: 'ABORT_ERR', name: 'AbortError' });
  }
}

/// One error for two, when a second happens while the first is being dealt with.
function aggregateTwoErrors(innerError, outerError) {
  if (!innerError || !outerError || innerError === outerError) return innerError || outerError;
  const { code, errors, message } = outerError;
  if (Array.isArray(errors)) {
    errors.push(innerError);
    return outerError;
  }
  return Object.assign(new AggregateError([outerError, innerError], message), { code });
}

/// An error with further properties.
function genericNodeError(message, properties) {
  return Object.assign(new Error(message), properties);
}

// Makes the error and gives it the properties whose value is not undefined, in their order.
function withDetails(message, details) {
  const error = new Error(message);
  for (const key of Object.keys(details)) {
    if (details[key] !== undefined) error[key] = details[key];
  }
  return error;
}

/// The error of a failed call of the file system: "ENOENT: no such file or directory, open 'x'".
///
/// Either of `code` and `errno` is enough; `message` replaces the text that belongs to the code.
function systemError({ code, errno, syscall, path, dest, message }) {
  const uv = require('internal/uv_errors');
  code ??= uv.errname(errno);
  errno ??= uv.errnumber(code);
  message ??= uv.errtext(code) ?? 'unknown error';
  let text = `${code}: ${message}, ${syscall}`;
  if (path !== undefined) text += ` '${path}'`;
  if (dest !== undefined) text += ` -> '${dest}'`;
  // As with `withDetails`: there are many of these.
  const error = new Error(text);
  if (errno !== undefined) error.errno = errno;
  error.code = code;
  if (syscall !== undefined) error.syscall = syscall;
  if (path !== undefined) error.path = path;
  if (dest !== undefined) error.dest = dest;
  return error;
}

function describeErrno(errno) {
  const uv = require('internal/uv_errors');
  const text = uv.errtext(errno);
  return text === undefined ? ['UNKNOWN', 'unknown error'] : [uv.errname(errno), text];
}

/// As `systemError`, from an error number alone; keeps Node's order of the properties.
function uvException({ errno, syscall, path, dest, message }) {
  const [code, known] = describeErrno(errno);
  let text = `${code}: ${message || known}, ${syscall}`;
  if (path) text += ` '${path}'`;
  if (dest) text += ` -> '${dest}'`;
  return withDetails(text, { errno, syscall, code, path: path || undefined, dest: dest || undefined });
}

/// The error of a failed call without a path: "spawn ENOENT".
function errnoException(errno, syscall, original = undefined) {
  const code = require('internal/uv_errors').errname(errno);
  return withDetails(`${syscall} ${code}${original ? ` ${original}` : ''}`, { errno, code, syscall });
}

const place = (address, port) => (port > 0 ? `${address}:${port}` : address);

/// The error of a failed call on an address: "connect ECONNREFUSED 127.0.0.1:80".
function exceptionWithHostPort(errno, syscall, address, port = undefined, additional = undefined) {
  const code = require('internal/uv_errors').errname(errno);
  let text = `${syscall} ${code}`;
  if (port > 0 || address) text += ` ${place(address, port)}`;
  if (additional) text += ` - Local (${additional})`;
  // There may be no address: a connected socket sends without. The property is there all the same.
  const where = port ? { address, port } : { address };
  return Object.assign(withDetails(text, { errno, code, syscall }), where);
}

/// The same for listening, whose message explains: "listen EADDRINUSE: address already in use :::80".
function uvExceptionWithHostPort(errno, syscall, address, port = undefined) {
  const [code, known] = describeErrno(errno);
  let text = `${syscall} ${code}: ${known}`;
  if (port > 0 || address) text += ` ${place(address, port)}`;
  return withDetails(text, { code, errno, syscall, address, port: port || undefined });
}

/// The error of a failed look-up of a name: "getaddrinfo ENOTFOUND example.invalid".
function dnsException(errno, syscall, hostname = undefined) {
  let code = errno;
  if (typeof errno === 'number') {
    // A name that does not exist has several numbers and, historically, one code.
    code = errno === -3007 || errno === -3008 ? 'ENOTFOUND' : require('internal/uv_errors').errname(errno);
  } else {
    errno = undefined;
  }
  const facts = hostname ? { errno, code, syscall, hostname } : { errno, code, syscall };
  return Object.assign(withDetails(`${syscall} ${code}${hostname ? ` ${hostname}` : ''}`, {}), facts);
}

/// What a peer that hangs up leaves behind.
function connResetException(message) {
  return withDetails(message, { code: 'ECONNRESET' });
}

// The engine's own words for running out of stack.
function isStackOverflowError(error) {
  return error?.name === 'RangeError' && error.message === 'Maximum call stack size exceeded';
}

module.exports = {
  codes, kIsNodeError, AbortError, aggregateTwoErrors, genericNodeError, isStackOverflowError,
  systemError, uvException, errnoException, exceptionWithHostPort, uvExceptionWithHostPort,
  dnsException, connResetException,
};
