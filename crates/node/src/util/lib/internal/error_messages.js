// The table of Node's error codes: which class of error each is, and what it says.
//
// A row is [class, message, ...further classes]. A message is a text, or a function of the
// arguments that the error is made with; its `this` is the error, for the few that carry more.
// The mechanism that turns rows into classes is in `internal/errors`.

const lazy = {};
function inspect(value, options) {
  lazy.inspect ??= require('internal/util/inspect').inspect;
  return lazy.inspect(value, options);
}

/// Says which URL an error is about, whatever the program has made of the prototypes of errors.
function setUrl(error, value) {
  Object.defineProperty(error, 'url', { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/// A value as a string of a message has it.
function formatted(value) {
  return require('internal/util/inspect').format('%s', value);
}

// The error types and lower-case names that Node takes for types; other words are taken for
// classes when they look like one.
const typeNames = new Set([
  'string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol',
]);
const classLike = /^(?:[A-Z][a-z0-9]*)+$/;

/// Joins words as a sentence does: 'a', 'a and b', 'a, b, and c'.
function formatList(words, conjunction = 'and') {
  if (words.length < 3) return words.join(` ${conjunction} `);
  return `${words.slice(0, -1).join(', ')}, ${conjunction} ${words.at(-1)}`;
}

/// 1234567 as 1_234_567. Counts characters from the end, as Node does, whatever they are.
function separateDigits(digits) {
  return digits.replace(/(?<=[^-])(?=(?:.{3})+$)/g, '_');
}

/// What was received instead, for the end of a message: `type number (42)`, `an instance of Map`.
function determineSpecificType(value) {
  if (value == null) return `${value}`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'object') {
    const name = value.constructor?.name;
    return name ? `an instance of ${name}` : inspect(value, { depth: -1 });
  }
  if (typeof value === 'string') {
    if (value.length > 28) value = `${value.slice(0, 25)}...`;
    return `type string (${value.includes("'") ? JSON.stringify(value) : `'${value}'`})`;
  }
  if (typeof value === 'bigint') return `type bigint (${value}n)`;
  return `type ${typeof value} (${Object.is(value, -0) ? '-0' : String(value)})`;
}

/// 'The "path" argument' or 'The "options.path" property', unless the name says what it is.
function subject(name) {
  if (name.endsWith(' argument')) return `The ${name}`;
  return `The "${name}" ${name.includes('.') ? 'property' : 'argument'}`;
}

function expectedTypes(expected) {
  if (!Array.isArray(expected)) expected = [expected];
  const types = [];
  const classes = [];
  const other = [];
  for (const word of expected) {
    if (typeNames.has(word)) types.push(word.toLowerCase());
    else if (classLike.test(word)) classes.push(word);
    else other.push(word);
  }
  // Beside classes a plain object reads better as one of them.
  if (classes.length > 0 && types.includes('object')) {
    types.splice(types.indexOf('object'), 1);
    classes.push('Object');
  }
  const parts = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? 'one of type' : 'of type'} ${formatList(types, 'or')}`);
  if (classes.length > 0) parts.push(`an instance of ${formatList(classes, 'or')}`);
  if (other.length > 1) parts.push(`one of ${formatList(other, 'or')}`);
  else if (other.length === 1) parts.push(other[0].toLowerCase() === other[0] ? other[0] : `an ${other[0]}`);
  return parts.join(' or ');
}

function invalidArgType(name, expected, actual) {
  return `${subject(name)} must be ${expectedTypes(expected)}. Received ${determineSpecificType(actual)}`;
}

function invalidArgValue(name, value, reason = 'is invalid') {
  const shown = inspect(value);
  const received = shown.length > 128 ? `${shown.slice(0, 128)}...` : shown;
  const kind = name.includes('.') ? 'property' : 'argument';
  return `The ${kind} '${name}' ${reason}. Received ${received}`;
}

/// A number as a message shows it: the digits of large integers are separated.
function numberText(value) {
  if (typeof value === 'bigint') {
    const size = value < 0n ? -value : value;
    return size > 2n ** 32n ? `${separateDigits(String(value))}n` : `${value}n`;
  }
  return Number.isInteger(value) && Math.abs(value) > 2 ** 32 ? separateDigits(String(value)) : inspect(value);
}

function outOfRange(name, range, input, replaceDefault = false) {
  const received = numberText(input);
  const what = replaceDefault ? name : `The value of "${name}" is out of range.`;
  return `${what} It must be ${range}. Received ${received}`;
}

function missingArgs(...names) {
  const words = names.map((name) => (Array.isArray(name) ? name.map((n) => `"${n}"`).join(' or ') : `"${name}"`));
  return `The ${formatList(words)} argument${names.length > 1 ? 's' : ''} must be specified`;
}

const from = (base) => (base ? ` imported from ${base}` : '');

function invalidPackageTarget(packagePath, key, target, isImport = false, base = undefined) {
  const needsDot = typeof target === 'string' && !isImport && target.length > 0 && !target.startsWith('./');
  const field = isImport ? 'imports' : 'exports';
  const shown = JSON.stringify(target);
  const what = key === '.' ? `main target ${shown} defined` : `target ${shown} defined for '${key}'`;
  return `Invalid "${field}" ${what} in the package config ${packagePath}package.json${from(base)}` +
    (needsDot ? '; targets must start with "./"' : '');
}

function requireEsm(file, hasEsmSyntax, parentPath = null, packageJsonPath = null) {
  const head = `require() of ES Module ${file}${parentPath ? ` from ${parentPath}` : ''} not supported.`;
  const baseName = (path) => path.slice(path.lastIndexOf('/') + 1);
  const instead = (what) =>
    `${head}\nInstead change the require of ${what} to a dynamic import() which is available in all CommonJS modules.`;
  if (!packageJsonPath) return file.endsWith('.mjs') ? instead(file) : head;
  const name = parentPath && baseName(file) === baseName(parentPath) ? file : baseName(file);
  if (hasEsmSyntax) return instead(`${name}${parentPath ? ` in ${parentPath}` : ''}`);
  return `${head}\n${name} is treated as an ES module file as it is a .js file whose nearest parent package.json ` +
    'contains "type": "module" which declares all .js files in that package scope as ES modules.\n' +
    `Instead either rename ${name} to end in .cjs, change the requiring code to use dynamic import() which is ` +
    'available in all CommonJS modules, or change "type": "module" to "type": "commonjs" in ' +
    `${packageJsonPath} to treat all .js files as CommonJS (using .mjs for all ES modules instead).\n`;
}

// Marks the rows whose error is about a failed system call and carries its details.
const System = Symbol('SystemError');

const table = {
  // Arguments and values.
  ERR_AMBIGUOUS_ARGUMENT: [TypeError, (name, reason) => `The "${name}" argument is ambiguous. ${reason}`],
  ERR_ARG_NOT_ITERABLE: [TypeError, (name) => `${name} must be iterable`],
  ERR_CONSTRUCT_CALL_REQUIRED: [TypeError, (name) => `Class constructor ${name} cannot be invoked without \`new\``],
  ERR_FALSY_VALUE_REJECTION: [Error, function (reason) {
    this.reason = reason;
    return 'Promise was rejected with falsy value';
  }],
  ERR_FEATURE_UNAVAILABLE_ON_PLATFORM: [TypeError, (feature) =>
    `The feature ${feature} is unavailable on the current platform, which is being used to run Node.js`],
  ERR_ILLEGAL_CONSTRUCTOR: [TypeError, 'Illegal constructor'],
  ERR_INCOMPATIBLE_OPTION_PAIR: [TypeError, (a, b) => `Option "${a}" cannot be used in combination with option "${b}"`],
  ERR_INVALID_ARG_TYPE: [TypeError, invalidArgType],
  ERR_INVALID_ARG_VALUE: [TypeError, invalidArgValue, RangeError],
  ERR_INVALID_RETURN_PROPERTY: [TypeError, (input, name, property, value) =>
    `Expected a valid ${input} to be returned for the "${property}" from the "${name}" hook but got ${determineSpecificType(value)}.`],
  ERR_INVALID_RETURN_PROPERTY_VALUE: [TypeError, (input, name, property, value) =>
    `Expected ${input} to be returned for the "${property}" from the "${name}" hook but got ${determineSpecificType(value)}.`],
  ERR_INVALID_RETURN_VALUE: [TypeError, (input, name, value) =>
    `Expected ${input} to be returned from the "${name}" function but got ${determineSpecificType(value)}.`, RangeError],
  ERR_INVALID_STATE: [Error, (state) => `Invalid state: ${state}`, TypeError, RangeError],
  ERR_INVALID_THIS: [TypeError, (type) => `Value of "this" must be of type ${type}`],
  ERR_INVALID_TUPLE: [TypeError, (name, tuple) => `${name} must be an iterable ${tuple} tuple`],
  ERR_METHOD_NOT_IMPLEMENTED: [Error, (name) => `The ${name} method is not implemented`],
  ERR_MISSING_ARGS: [TypeError, missingArgs],
  ERR_MISSING_OPTION: [TypeError, (name) => `${name} is required`],
  ERR_MULTIPLE_CALLBACK: [Error, 'Callback called multiple times'],
  ERR_OPERATION_FAILED: [Error, (reason) => `Operation failed: ${reason}`, TypeError],
  ERR_OUT_OF_RANGE: [RangeError, outOfRange],
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: [TypeError, (text) => text],
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: [TypeError, (positional) =>
    `Unexpected argument '${positional}'. This command does not take positional arguments`],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: [TypeError, (option, allowPositionals) =>
    `Unknown option '${option}'` + (allowPositionals ?
      ". To specify a positional argument starting with a '-', place it at the end of the command " +
      `after '--', as in '-- ${JSON.stringify(option)}` : '')],
  ERR_UNAVAILABLE_DURING_EXIT: [Error, 'Cannot call function in process exit handler'],
  ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET: [Error,
    '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active'],
  ERR_UNHANDLED_ERROR: [Error, (error = undefined) =>
    (error === undefined ? 'Unhandled error.' : `Unhandled error. (${error})`)],
  ERR_USE_AFTER_CLOSE: [Error, (name) => `${name} was closed`],

  // The runtime itself.
  ERR_ACCESS_DENIED: [Error, function (text, permission = '', resource = '') {
    this.permission = permission;
    this.resource = resource;
    return text;
  }],
  ERR_ASSERTION: [Error, (text) => text],
  ERR_ASYNC_CALLBACK: [TypeError, (name) => `${name} must be a function`],
  ERR_ASYNC_TYPE: [TypeError, (type) => `Invalid name for async "type": ${type}`],
  ERR_CANNOT_WATCH_SIGINT: [Error, 'Cannot watch for SIGINT signals'],
  ERR_CONSOLE_WRITABLE_STREAM: [TypeError, (name) => `Console expects a writable stream instance for ${name}`],
  ERR_CONTEXT_NOT_INITIALIZED: [Error, 'context used is not initialized'],
  ERR_INSPECTOR_ALREADY_CONNECTED: [Error, (what) => `${what} is already connected`],
  ERR_INSPECTOR_COMMAND: [Error, (code, message) => `Inspector error ${code}: ${message}`],
  ERR_INSPECTOR_NOT_ACTIVE: [Error, () => 'Inspector is not active'],
  ERR_INSPECTOR_NOT_AVAILABLE: [Error, () => 'Inspector is not available: there is none in Hemiola; use `hemiola debug`'],
  ERR_INSPECTOR_NOT_CONNECTED: [Error, () => 'Session is not connected'],
  ERR_INSPECTOR_NOT_WORKER: [Error, () => 'Current thread is not a worker'],
  ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION: [Error, () => 'Operation cannot be invoked when not in a single-executable application'],
  ERR_INVALID_REPL_EVAL_CONFIG: [TypeError, () => 'Cannot specify both "breakEvalOnSigint" and "eval" for REPL'],
  ERR_TRACE_EVENTS_CATEGORY_REQUIRED: [TypeError, () => 'At least one category is required'],
  ERR_DOMAIN_CALLBACK_NOT_AVAILABLE: [Error,
    'A callback was registered through process.setUncaughtExceptionCaptureCallback(), which is mutually ' +
    'exclusive with using the `domain` module'],
  ERR_DOMAIN_CANNOT_SET_UNCAUGHT_EXCEPTION_CAPTURE: [Error,
    'The `domain` module is in use, which is mutually exclusive with calling ' +
    'process.setUncaughtExceptionCaptureCallback()'],
  ERR_EVENT_RECURSION: [Error, (type) => `The event "${type}" is already being dispatched`],
  ERR_INTERNAL_ASSERTION: [Error, (text) =>
    (text === undefined ? '' : `${text}\n`) +
    'This is caused by either a bug in Node.js or incorrect usage of Node.js internals.\n' +
    'Please open an issue with this stack trace at https://github.com/nodejs/node/issues\n'],
  ERR_INVALID_ASYNC_ID: [RangeError, (type, id) => `Invalid ${type} value: ${id}`],
  ERR_INVALID_CURSOR_POS: [TypeError, 'Cannot set cursor row without setting its column'],
  ERR_INVALID_REPL_EVAL_CONFIG: [TypeError, 'Cannot specify both "breakEvalOnSigint" and "eval" for REPL'],
  ERR_INVALID_REPL_INPUT: [TypeError, (text) => text],
  ERR_MEMORY_ALLOCATION_FAILED: [Error, 'Failed to allocate memory'],
  ERR_PERFORMANCE_INVALID_TIMESTAMP: [TypeError, (time) => `${+time} is not a valid timestamp`],
  ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS: [TypeError, (text) => text],
  ERR_SCRIPT_EXECUTION_INTERRUPTED: [Error, 'Script execution was interrupted by `SIGINT`'],
  ERR_SCRIPT_EXECUTION_TIMEOUT: [Error, (ms) => `Script execution timed out after ${ms}ms`],
  ERR_SYNTHETIC: [Error, 'JavaScript Callstack'],
  ERR_SYSTEM_ERROR: [System, 'A system error occurred'],
  ERR_TEST_FAILURE: [Error, function (error, failureType) {
    this.failureType = failureType;
    this.cause = error;
    return typeof error === 'string' ? error : error?.message ?? inspect(error);
  }],
  ERR_TTY_INIT_FAILED: [System, 'TTY initialization failed'],
  ERR_INVALID_OBJECT_DEFINE_PROPERTY: [TypeError, (message) => message],
  ERR_UNKNOWN_SIGNAL: [TypeError, (signal) => `Unknown signal: ${signal}`],
  ERR_VALID_PERFORMANCE_ENTRY_TYPE: [Error, 'At least one valid performance entry type is required'],

  // Bytes, text and addresses.
  ERR_BROTLI_INVALID_PARAM: [RangeError, (name) => `${name} is not a valid Brotli parameter`],
  ERR_BUFFER_OUT_OF_BOUNDS: [RangeError, (name = undefined) =>
    (name ? `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds')],
  ERR_BUFFER_TOO_LARGE: [RangeError, (size) => `Cannot create a Buffer larger than ${size} bytes`],
  ERR_CRYPTO_HASH_FINALIZED: [Error, 'Digest already called'],
  ERR_CRYPTO_HASH_UPDATE_FAILED: [Error, 'Hash update failed'],
  ERR_CRYPTO_INVALID_DIGEST: [TypeError, (name) => `Invalid digest: ${name}`],
  ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE: [TypeError, (type, expected) =>
    `Invalid key object type ${type}, expected ${expected}.`],
  ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH: [RangeError, 'Input buffers must have the same byte length'],
  ERR_CRYPTO_INVALID_STATE: [Error, (name) => `Invalid state for operation ${name}`],
  ERR_ENCODING_INVALID_ENCODED_DATA: [TypeError, function (encoding, result) {
    this.errno = result;
    return `The encoded data was not valid for encoding ${encoding}`;
  }],
  ERR_ENCODING_NOT_SUPPORTED: [RangeError, (name) => `The "${name}" encoding is not supported`],
  ERR_INVALID_BUFFER_SIZE: [RangeError, (unit) => `Buffer size must be a multiple of ${unit}`],
  ERR_INVALID_FILE_URL_HOST: [TypeError, (platform) => `File URL host must be "localhost" or empty on ${platform}`],
  ERR_INVALID_FILE_URL_PATH: [TypeError, (reason) => `File URL path ${reason}`],
  ERR_INVALID_MIME_SYNTAX: [TypeError, (production, text, index) =>
    `The MIME syntax for a ${production} in "${text}" is invalid${index === -1 ? '' : ` at ${index}`}`],
  ERR_INVALID_URI: [URIError, 'URI malformed'],
  ERR_INVALID_URL: [TypeError, function (input, base = null) {
    this.input = input;
    if (base != null) this.base = base;
    return 'Invalid URL';
  }],
  ERR_INVALID_URL_SCHEME: [TypeError, (expected) => {
    if (typeof expected === 'string') expected = [expected];
    return expected.length === 1 ?
      `The URL must be of scheme ${expected[0]}` :
      `The URL must be one of scheme ${expected[0]} or ${expected[1]}`;
  }],
  ERR_NO_CRYPTO: [Error, 'Node.js is not compiled with OpenSSL crypto support'],
  ERR_NO_ICU: [TypeError, (feature) => `${feature} is not supported on Node.js compiled without ICU`],
  ERR_STRING_TOO_LONG: [Error, (limit = 0x1fffffe8) =>
    `Cannot create a string longer than 0x${limit.toString(16)} characters`],
  ERR_UNKNOWN_ENCODING: [TypeError, (name) => `Unknown encoding: ${typeof name === 'string' ? name : formatted(name)}`],

  // Files and child processes.
  ERR_CHILD_CLOSED_BEFORE_REPLY: [Error, 'Child closed before reply received'],
  ERR_CHILD_PROCESS_IPC_REQUIRED: [Error, (name) =>
    `Forked processes must have an IPC channel, missing value 'ipc' in ${name}`],
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: [RangeError, (name) => `${name} maxBuffer length exceeded`],
  ERR_DIR_CLOSED: [Error, 'Directory handle was closed'],
  ERR_DIR_CONCURRENT_OPERATION: [Error,
    'Cannot do synchronous work on directory handle with concurrent asynchronous operations'],
  ERR_FS_CP_DIR_TO_NON_DIR: [System, 'Cannot overwrite non-directory with directory'],
  ERR_FS_CP_EEXIST: [System, 'Target already exists'],
  ERR_FS_CP_EINVAL: [System, 'Invalid src or dest'],
  ERR_FS_CP_FIFO_PIPE: [System, 'Cannot copy a FIFO pipe'],
  ERR_FS_CP_NON_DIR_TO_DIR: [System, 'Cannot overwrite directory with non-directory'],
  ERR_FS_CP_SOCKET: [System, 'Cannot copy a socket file'],
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: [System, 'Cannot overwrite symlink in subdirectory of self'],
  ERR_FS_CP_UNKNOWN: [System, 'Cannot copy an unknown file type'],
  ERR_FS_EISDIR: [System, 'Path is a directory'],
  ERR_FS_FILE_TOO_LARGE: [RangeError, (size) => `File size (${size}) is greater than 2 GiB`],
  ERR_FS_INVALID_SYMLINK_TYPE: [Error, (type) =>
    `Symlink type must be one of "dir", "file", or "junction". Received "${type}"`],
  ERR_INVALID_FD: [RangeError, (fd) => `"fd" must be a positive integer: ${fd}`],
  ERR_INVALID_FD_TYPE: [TypeError, (type) => `Unsupported fd type: ${type}`],
  ERR_INVALID_HANDLE_TYPE: [TypeError, 'This handle type cannot be sent'],
  ERR_INVALID_SYNC_FORK_INPUT: [TypeError, (input) =>
    `Asynchronous forks do not support Buffer, TypedArray, DataView or string input: ${input}`],
  ERR_IPC_CHANNEL_CLOSED: [Error, 'Channel closed'],
  ERR_IPC_DISCONNECTED: [Error, 'IPC channel is already disconnected'],
  ERR_IPC_ONE_PIPE: [Error, 'Child process can have only one IPC pipe'],
  ERR_IPC_SYNC_FORK: [Error, 'IPC cannot be used with synchronous forks'],
  ERR_UNKNOWN_CREDENTIAL: [Error, (kind, name) => `${kind} identifier does not exist: ${name}`],

  // Streams.
  ERR_STREAM_ALREADY_FINISHED: [Error, (name) => `Cannot call ${name} after a stream was finished`],
  ERR_STREAM_CANNOT_PIPE: [Error, 'Cannot pipe, not readable'],
  ERR_STREAM_DESTROYED: [Error, (name) => `Cannot call ${name} after a stream was destroyed`],
  ERR_STREAM_NULL_VALUES: [TypeError, 'May not write null values to stream'],
  ERR_STREAM_PREMATURE_CLOSE: [Error, 'Premature close'],
  ERR_STREAM_PUSH_AFTER_EOF: [Error, 'stream.push() after EOF'],
  ERR_STREAM_UNSHIFT_AFTER_END_EVENT: [Error, 'stream.unshift() after end event'],
  ERR_STREAM_WRAP: [Error, 'Stream has StringDecoder set or is in objectMode'],
  ERR_STREAM_WRITE_AFTER_END: [Error, 'write after end'],

  // Network and HTTP.
  ERR_DNS_SET_SERVERS_FAILED: [Error, (reason, servers) => `c-ares failed to set servers: "${reason}" [${servers}]`],
  ERR_HTTP_BODY_NOT_ALLOWED: [Error, 'Adding content for this request method or response status is not allowed.'],
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: [Error, (body, header) =>
    `Response body's content-length of ${body} byte(s) does not match the content-length of ${header} byte(s) set in header`],
  ERR_HTTP_HEADERS_SENT: [Error, (verb) => `Cannot ${verb} headers after they are sent to the client`],
  ERR_HTTP_INVALID_HEADER_VALUE: [TypeError, (value, name) => `Invalid value "${value}" for header "${name}"`],
  ERR_HTTP_INVALID_STATUS_CODE: [RangeError, (status) =>
    `Invalid status code: ${typeof status === 'object' ? require('internal/util/inspect').inspect(status) : String(status)}`],
  ERR_HTTP_REQUEST_TIMEOUT: [Error, 'Request timeout'],
  ERR_HTTP_SOCKET_ASSIGNED: [Error, 'ServerResponse has an already assigned socket'],
  ERR_HTTP_SOCKET_ENCODING: [Error, 'Changing the socket encoding is not allowed per RFC7230 Section 3.'],
  ERR_HTTP_TRAILER_INVALID: [Error, 'Trailers are invalid with this transfer encoding'],
  ERR_INVALID_ADDRESS_FAMILY: [RangeError, function (type, host, port) {
    this.host = host;
    this.port = port;
    return `Invalid address family: ${type} ${host}:${port}`;
  }],
  ERR_INVALID_CHAR: [TypeError, (name, field = undefined) =>
    `Invalid character in ${name}${field === undefined ? '' : ` ["${field}"]`}`],
  ERR_INVALID_HTTP_TOKEN: [TypeError, (name, field) => `${name} must be a valid HTTP token ["${field}"]`],
  ERR_INVALID_IP_ADDRESS: [TypeError, (address) => `Invalid IP address: ${address}`],
  ERR_INVALID_PROTOCOL: [TypeError, (actual, expected) => `Protocol "${actual}" not supported. Expected "${expected}"`],
  ERR_SERVER_ALREADY_LISTEN: [Error, 'Listen method has been called more than once without closing.'],
  ERR_SERVER_NOT_RUNNING: [Error, 'Server is not running.'],
  ERR_SOCKET_ALREADY_BOUND: [Error, 'Socket is already bound'],
  ERR_SOCKET_BAD_BUFFER_SIZE: [TypeError, 'Buffer size must be a positive integer'],
  ERR_SOCKET_BAD_PORT: [RangeError, (name, port, allowZero = true) =>
    `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${determineSpecificType(port)}.`],
  ERR_SOCKET_BAD_TYPE: [TypeError, 'Bad socket type specified. Valid types are: udp4, udp6'],
  ERR_SOCKET_BUFFER_SIZE: [System, 'Could not get or set buffer size'],
  ERR_SOCKET_CLOSED: [Error, 'Socket is closed'],
  ERR_SOCKET_CLOSED_BEFORE_CONNECTION: [Error, 'Socket closed before the connection was established'],
  ERR_SOCKET_CONNECTION_TIMEOUT: [Error, 'Socket connection timeout'],
  ERR_SOCKET_DGRAM_IS_CONNECTED: [Error, 'Already connected'],
  ERR_SOCKET_DGRAM_NOT_CONNECTED: [Error, 'Not connected'],
  ERR_SOCKET_DGRAM_NOT_RUNNING: [Error, 'Not running'],
  ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: [TypeError, (value, protocols) =>
    `ALPN callback returned a value (${value}) that did not match any of the client's offered protocols (${protocols.join(', ')})`],
  ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS: [TypeError, 'The ALPNCallback and ALPNProtocols TLS options are mutually exclusive'],
  ERR_TLS_CERT_ALTNAME_FORMAT: [SyntaxError, 'Invalid subject alternative name string'],
  ERR_TLS_HANDSHAKE_TIMEOUT: [Error, 'TLS handshake timeout'],
  ERR_TLS_INVALID_PROTOCOL_VERSION: [TypeError, (version, kind) =>
    `${JSON.stringify(version)} is not a valid ${kind} TLS protocol version`],
  ERR_TLS_INVALID_STATE: [Error, 'TLS socket connection must be securely established'],
  ERR_TLS_PROTOCOL_VERSION_CONFLICT: [TypeError, (version, method) =>
    `TLS protocol version ${JSON.stringify(version)} conflicts with secureProtocol ${JSON.stringify(method)}`],
  ERR_TLS_RENEGOTIATION_DISABLED: [Error, 'TLS session renegotiation disabled for this socket'],
  ERR_TLS_REQUIRED_SERVER_NAME: [Error, '"servername" is required parameter for Server.addContext'],
  ERR_TLS_SNI_FROM_SERVER: [Error, 'Cannot issue SNI from a TLS server-side socket'],
  ERR_CRYPTO_INVALID_CURVE: [TypeError, 'Invalid EC curve name'],
  ERR_CRYPTO_ECDH_INVALID_FORMAT: [TypeError, (format) => `Invalid ECDH format: ${format}`],
  ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY: [Error, 'Public key is not valid for specified curve'],
  ERR_CRYPTO_INCOMPATIBLE_KEY: [Error, (what, how) => `Incompatible ${what}: ${how}`],
  ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS: [Error, (type, how) => `The selected key encoding ${type} ${how}.`],
  ERR_CRYPTO_INVALID_KEYPAIR: [RangeError, 'Invalid key pair'],
  ERR_CRYPTO_UNKNOWN_DH_GROUP: [Error, 'Unknown DH group'],
  ERR_MISSING_PASSPHRASE: [TypeError, (message) => message],
  ERR_CRYPTO_INVALID_JWK: [TypeError, 'Invalid JWK data'],
  ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE: [Error, 'Unsupported JWK Key Type.'],
  ERR_CRYPTO_SIGN_KEY_REQUIRED: [Error, 'No key provided to sign'],
  ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED: [Error, 'Custom engines not supported by this OpenSSL'],
  ERR_TLS_CERT_ALTNAME_INVALID: [Error, function (reason, host, cert) {
    this.reason = reason;
    this.host = host;
    this.cert = cert;
    return `Hostname/IP does not match certificate's altnames: ${reason}`;
  }],
  ERR_UNESCAPED_CHARACTERS: [TypeError, (name) => `${name} contains unescaped characters`],

  // Modules.
  ERR_EVAL_ESM_CANNOT_PRINT: [Error, '--print cannot be used with ESM input'],
  ERR_IMPORT_ASSERTION_TYPE_FAILED: [TypeError, (url, type) => `Module "${url}" is not of type "${type}"`],
  ERR_IMPORT_ASSERTION_TYPE_MISSING: [TypeError, (url, type) =>
    `Module "${url}" needs an import attribute of type "${type}"`],
  ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED: [TypeError, (type) => `Import attribute type "${type}" is unsupported`],
  ERR_IMPORT_ATTRIBUTE_UNSUPPORTED: [TypeError, (name, value) =>
    `Import attribute "${name}" with value "${value}" is not supported`],
  ERR_INVALID_MODULE_SPECIFIER: [TypeError, (request, reason, base = undefined) =>
    `Invalid module "${request}" ${reason}${from(base)}`],
  ERR_INVALID_PACKAGE_CONFIG: [Error, (path, base, text) =>
    `Invalid package config ${path}${base ? ` while importing ${base}` : ''}${text ? `. ${text}` : ''}`],
  ERR_INVALID_PACKAGE_TARGET: [Error, invalidPackageTarget],
  ERR_MODULE_NOT_FOUND: [Error, function (path, base, exactUrl) {
    if (exactUrl) setUrl(this, `${exactUrl}`);
    return `Cannot find ${exactUrl ? 'module' : 'package'} '${path}' imported from ${base}`;
  }],
  ERR_NETWORK_IMPORT_BAD_RESPONSE: [Error, (url, reason) => `import '${url}' received a bad response: ${reason}`],
  ERR_NETWORK_IMPORT_DISALLOWED: [Error, (url, by, reason) => `import of '${url}' by ${by} is not supported: ${reason}`],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: [TypeError, (specifier, packagePath, base) =>
    `Package import specifier "${specifier}" is not defined${packagePath ? ` in package ${packagePath}package.json` : ''} imported from ${base}`],
  ERR_PACKAGE_PATH_NOT_EXPORTED: [Error, (packagePath, subpath, base = undefined) =>
    (subpath === '.' ?
      `No "exports" main defined in ${packagePath}package.json${from(base)}` :
      `Package subpath '${subpath}' is not defined by "exports" in ${packagePath}package.json${from(base)}`)],
  ERR_REQUIRE_ASYNC_MODULE: [Error, (filename, parent) =>
    'require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the ' +
    'top-level await comes from, use --experimental-print-required-tla.' +
    (parent ? `\n  From ${parent} ` : '') + (filename ? `\n  Requiring ${filename} ` : '')],
  ERR_REQUIRE_CYCLE_MODULE: [Error, (text) => text],
  ERR_PROTO_ACCESS: [Error, () => 'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw'],
  ERR_REQUIRE_ESM: [Error, requireEsm],
  ERR_UNKNOWN_BUILTIN_MODULE: [Error, (name) => `No such built-in module: ${name}`],
  ERR_LOADER_CHAIN_INCOMPLETE: [Error, (hook) =>
    `"${hook}" did not call the next hook in its chain and did not explicitly signal a short circuit. ` +
    'If this is intentional, include `shortCircuit: true` in the hook\'s return.'],
  ERR_UNKNOWN_FILE_EXTENSION: [TypeError, (extension, path) => `Unknown file extension "${extension}" for ${path}`],
  ERR_UNKNOWN_MODULE_FORMAT: [RangeError, (format, url) => `Unknown module format: ${format} for URL ${url}`],
  ERR_UNSUPPORTED_DIR_IMPORT: [Error, function (path, base, exactUrl) {
    setUrl(this, exactUrl);
    return `Directory import '${path}' is not supported resolving ES modules imported from ${base}`;
  }],
  ERR_UNSUPPORTED_ESM_URL_SCHEME: [Error, (url, supported) =>
    `Only URLs with a scheme in: ${formatList(supported)} are supported by the default ESM loader. ` +
    `Received protocol '${url.protocol}'`],
  ERR_UNSUPPORTED_RESOLVE_REQUEST: [TypeError, (specifier, base) =>
    `Failed to resolve module specifier "${specifier}" from "${base}": Invalid relative URL or base scheme is not hierarchical.`],
  ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING: [TypeError, 'A dynamic import callback was not specified.'],
  ERR_VM_MODULE_LINK_FAILURE: [Error, function (text, cause) {
    this.cause = cause;
    return text;
  }],
  ERR_VM_MODULE_STATUS: [Error, (status) => `Module status ${status}`],

  // Workers.
  ERR_WORKER_INIT_FAILED: [Error, (reason) => `Worker initialization failure: ${reason}`],
  ERR_WORKER_INVALID_EXEC_ARGV: [Error, (flags, text = 'invalid execArgv flags') =>
    `Initiated Worker with ${text}: ${Array.from(flags).join(', ')}`],
  ERR_WORKER_MESSAGING_ERRORED: [Error, 'The destination thread threw an error while processing the message'],
  ERR_WORKER_MESSAGING_FAILED: [Error, 'Cannot find the destination thread or listener'],
  ERR_WORKER_MESSAGING_SAME_THREAD: [Error, 'Cannot sent a message to the same thread'],
  ERR_WORKER_MESSAGING_TIMEOUT: [Error, 'Sending a message to another thread timed out'],
  ERR_WORKER_NOT_RUNNING: [Error, 'Worker instance not running'],
  ERR_WORKER_OUT_OF_MEMORY: [Error, (reason) => `Worker terminated due to reaching memory limit: ${reason}`],
  ERR_WORKER_PATH: [TypeError, (filename) => {
    const scheme = ['file://', 'data:'].find((prefix) => String(filename).startsWith(prefix));
    const advice = scheme === undefined ? '' : ` Wrap ${scheme} URLs with \`new URL\`.`;
    return "The worker script or module filename must be an absolute path or a relative path starting with './' or '../'." +
      `${advice} Received "${filename}"`;
  }],
  ERR_WORKER_UNSERIALIZABLE_ERROR: [Error, 'Serializing an uncaught exception failed'],
  ERR_WORKER_UNSUPPORTED_OPERATION: [TypeError, (name) => `${name} is not supported in workers`],
};

module.exports = { table, System };
