// Every code with many shapes of arguments, the helpers around them, and the validators.
const errors = load('internal/errors');
const { codes } = errors;

// Errors of Node's own have a symbol of this name, on themselves or on what they inherit from.
function isMarked(error) {
  for (let at = error; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.getOwnPropertySymbols(at).some((symbol) => symbol.description === 'kIsNodeError')) return true;
  }
  return false;
}

// What a program can see of an error, the frames of its stack aside.
function facts(error) {
  const own = Reflect.ownKeys(error).map(String).filter((key) => key !== 'stack' && key !== 'message').map((key) => {
    const { enumerable, writable, get } = Object.getOwnPropertyDescriptor(error, key) ?? {};
    return `${key}${enumerable ? '' : ' hidden'}${writable === false ? ' fixed' : ''}${get ? ' get' : ''}`;
  });
  return JSON.stringify({
    name: error.name, code: error.code, message: error.message, text: String(error), own,
    rest: Object.fromEntries(Object.entries(error).filter(([key]) => key !== 'code')),
    constructor: [
      Error, TypeError, RangeError, URIError,
    ].find((constructor) => constructor === error.constructor)?.name,
    marked: isMarked(error),
  }, null, 1);
}
const make = (label, fn) => test(label, () => facts(fn()));

class Foo {}
const values = {
  undefined, null: null, true: true, zero: 0, minusZero: -0, nan: NaN, infinity: Infinity, fraction: 1.5,
  large: 2 ** 32 + 1, veryLarge: 1e21, negative: -123456789012, bigint: 5n, largeBigint: 2n ** 40n,
  negativeBigint: -(2n ** 40n), string: 'text', quoted: "it's", doubleQuoted: 'say "x"', long: 'x'.repeat(40),
  exactly28: 'y'.repeat(28), symbol: Symbol('s'), longSymbol: Symbol('s'.repeat(40)), newline: 'a\nb', object: {},
  nullObject: Object.create(null), array: [1, 2], foo: new Foo(), map: new Map(), func: function named() {},
  anonymous: (() => () => {})(), class: Foo, regexp: /x/g, date: new Date(0),
  longBigint: 123456789012345678901234567890n,
};
for (const [label, value] of Object.entries(values)) {
  make(`ERR_INVALID_ARG_TYPE ${label}`, () => new codes.ERR_INVALID_ARG_TYPE('x', 'string', value));
  make(`ERR_INVALID_ARG_VALUE ${label}`, () => new codes.ERR_INVALID_ARG_VALUE('x', value));
  make(`ERR_OUT_OF_RANGE ${label}`, () => new codes.ERR_OUT_OF_RANGE('x', '>= 0 && <= 1', value));
  make(`ERR_SOCKET_BAD_PORT ${label}`, () => new codes.ERR_SOCKET_BAD_PORT('Port', value));
  make(`ERR_INVALID_RETURN_VALUE ${label}`, () => new codes.ERR_INVALID_RETURN_VALUE('a b', 'fn', value));
}

const expectations = [
  'string', 'Function', 'Object', 'Foo', 'Buffer', 'boolean', 'a dictionary', 'undefined', 'Promise.all', 'AbortSignal',
  'URL', ['string'], ['string', 'number'], ['string', 'number', 'boolean'], ['string', 'Buffer'],
  ['string', 'Buffer', 'URL'], ['Buffer', 'TypedArray', 'DataView'], ['Object', 'Array'], ['object', 'Foo', 'Bar'],
  ['string', 'one thing'], ['one thing', 'other thing'], ['one', 'two', 'three'], ['string', 'Buffer', 'Other Thing'],
  ['Function', 'function'], ['string', 'number', 'Buffer', 'URL', 'x', 'y', 'z'], ['Array', 'Other Thing'],
  ['Other Thing'],
];
for (const expected of expectations) {
  for (const name of ['path', 'options.path', 'first argument', 'list[0].x', 'a b']) {
    make(`ERR_INVALID_ARG_TYPE ${name} ${expected}`, () => new codes.ERR_INVALID_ARG_TYPE(name, expected, 42));
  }
}

// Every code with the numbers of arguments that Node takes for it.
const arities = (
  'ERR_AMBIGUOUS_ARGUMENT:2 ERR_ARG_NOT_ITERABLE:1 ERR_FALSY_VALUE_REJECTION:12345 ' +
  'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM:1 ERR_ILLEGAL_CONSTRUCTOR:0 ERR_INCOMPATIBLE_OPTION_PAIR:2 ' +
  'ERR_INVALID_ARG_TYPE:345 ERR_INVALID_ARG_VALUE:2345 ERR_INVALID_RETURN_PROPERTY:45 ' +
  'ERR_INVALID_RETURN_PROPERTY_VALUE:45 ERR_INVALID_RETURN_VALUE:345 ERR_INVALID_STATE:1 ERR_INVALID_THIS:1 ' +
  'ERR_INVALID_TUPLE:2 ERR_METHOD_NOT_IMPLEMENTED:1 ERR_MISSING_ARGS:12345 ERR_MISSING_OPTION:1 ERR_MULTIPLE_CALLBACK:0 ' +
  'ERR_OPERATION_FAILED:1 ERR_OUT_OF_RANGE:345 ERR_PARSE_ARGS_INVALID_OPTION_VALUE:1 ' +
  'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL:1 ERR_PARSE_ARGS_UNKNOWN_OPTION:2345 ERR_UNAVAILABLE_DURING_EXIT:0 ' +
  'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET:0 ERR_UNHANDLED_ERROR:012345 ERR_USE_AFTER_CLOSE:1 ' +
  'ERR_ACCESS_DENIED:12345 ERR_ASSERTION:1 ERR_ASYNC_CALLBACK:1 ERR_ASYNC_TYPE:1 ERR_CANNOT_WATCH_SIGINT:0 ' +
  'ERR_CONSOLE_WRITABLE_STREAM:1 ERR_CONTEXT_NOT_INITIALIZED:0 ERR_DOMAIN_CALLBACK_NOT_AVAILABLE:0 ' +
  'ERR_DOMAIN_CANNOT_SET_UNCAUGHT_EXCEPTION_CAPTURE:0 ERR_EVENT_RECURSION:1 ERR_INTERNAL_ASSERTION:12345 ' +
  'ERR_INVALID_ASYNC_ID:2 ERR_INVALID_CURSOR_POS:0 ERR_INVALID_REPL_EVAL_CONFIG:0 ERR_INVALID_REPL_INPUT:1 ' +
  'ERR_PERFORMANCE_INVALID_TIMESTAMP:1 ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS:1 ERR_SCRIPT_EXECUTION_INTERRUPTED:0 ' +
  'ERR_SYNTHETIC:0 ERR_TEST_FAILURE:2345 ERR_UNKNOWN_SIGNAL:1 ERR_VALID_PERFORMANCE_ENTRY_TYPE:0 ' +
  'ERR_BROTLI_INVALID_PARAM:1 ERR_BUFFER_OUT_OF_BOUNDS:012345 ERR_BUFFER_TOO_LARGE:1 ERR_CRYPTO_HASH_FINALIZED:0 ' +
  'ERR_CRYPTO_HASH_UPDATE_FAILED:0 ERR_CRYPTO_INVALID_DIGEST:1 ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE:2 ' +
  'ERR_CRYPTO_INVALID_STATE:1 ERR_ENCODING_INVALID_ENCODED_DATA:2345 ERR_ENCODING_NOT_SUPPORTED:1 ' +
  'ERR_INVALID_BUFFER_SIZE:1 ERR_INVALID_FILE_URL_HOST:1 ERR_INVALID_FILE_URL_PATH:1 ERR_INVALID_MIME_SYNTAX:345 ' +
  'ERR_INVALID_URI:0 ERR_INVALID_URL:12345 ERR_INVALID_URL_SCHEME:12345 ERR_NO_CRYPTO:0 ERR_NO_ICU:1 ' +
  'ERR_UNKNOWN_ENCODING:1 ERR_CHILD_CLOSED_BEFORE_REPLY:0 ERR_CHILD_PROCESS_IPC_REQUIRED:1 ' +
  'ERR_CHILD_PROCESS_STDIO_MAXBUFFER:1 ERR_DIR_CLOSED:0 ERR_DIR_CONCURRENT_OPERATION:0 ERR_FS_FILE_TOO_LARGE:1 ' +
  'ERR_FS_INVALID_SYMLINK_TYPE:1 ERR_INVALID_FD:1 ERR_INVALID_FD_TYPE:1 ERR_INVALID_HANDLE_TYPE:0 ' +
  'ERR_INVALID_SYNC_FORK_INPUT:1 ERR_IPC_CHANNEL_CLOSED:0 ERR_IPC_DISCONNECTED:0 ERR_IPC_ONE_PIPE:0 ERR_IPC_SYNC_FORK:0 ' +
  'ERR_UNKNOWN_CREDENTIAL:2 ERR_STREAM_ALREADY_FINISHED:1 ERR_STREAM_CANNOT_PIPE:0 ERR_STREAM_DESTROYED:1 ' +
  'ERR_STREAM_NULL_VALUES:0 ERR_STREAM_PREMATURE_CLOSE:0 ERR_STREAM_PUSH_AFTER_EOF:0 ' +
  'ERR_STREAM_UNSHIFT_AFTER_END_EVENT:0 ERR_STREAM_WRAP:0 ERR_STREAM_WRITE_AFTER_END:0 ERR_DNS_SET_SERVERS_FAILED:2 ' +
  'ERR_HTTP_BODY_NOT_ALLOWED:0 ERR_HTTP_CONTENT_LENGTH_MISMATCH:2 ERR_HTTP_HEADERS_SENT:1 ' +
  'ERR_HTTP_INVALID_HEADER_VALUE:2 ERR_HTTP_INVALID_STATUS_CODE:1 ERR_HTTP_REQUEST_TIMEOUT:0 ERR_HTTP_SOCKET_ASSIGNED:0 ' +
  'ERR_HTTP_SOCKET_ENCODING:0 ERR_HTTP_TRAILER_INVALID:0 ERR_INVALID_ADDRESS_FAMILY:345 ERR_INVALID_CHAR:12345 ' +
  'ERR_INVALID_HTTP_TOKEN:2 ERR_INVALID_IP_ADDRESS:1 ERR_INVALID_PROTOCOL:2 ERR_SERVER_ALREADY_LISTEN:0 ' +
  'ERR_SERVER_NOT_RUNNING:0 ERR_SOCKET_ALREADY_BOUND:0 ERR_SOCKET_BAD_BUFFER_SIZE:0 ERR_SOCKET_BAD_PORT:2 ' +
  'ERR_SOCKET_BAD_TYPE:0 ERR_SOCKET_CLOSED:0 ERR_SOCKET_CLOSED_BEFORE_CONNECTION:0 ERR_SOCKET_CONNECTION_TIMEOUT:0 ' +
  'ERR_SOCKET_DGRAM_IS_CONNECTED:0 ERR_SOCKET_DGRAM_NOT_CONNECTED:0 ERR_SOCKET_DGRAM_NOT_RUNNING:0 ' +
  'ERR_TLS_CERT_ALTNAME_INVALID:345 ERR_UNESCAPED_CHARACTERS:1 ERR_IMPORT_ASSERTION_TYPE_FAILED:2 ' +
  'ERR_IMPORT_ASSERTION_TYPE_MISSING:2 ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED:1 ERR_IMPORT_ATTRIBUTE_UNSUPPORTED:2 ' +
  'ERR_INVALID_MODULE_SPECIFIER:2345 ERR_INVALID_PACKAGE_CONFIG:345 ERR_INVALID_PACKAGE_TARGET:345 ' +
  'ERR_MODULE_NOT_FOUND:345 ERR_NETWORK_IMPORT_BAD_RESPONSE:2 ERR_NETWORK_IMPORT_DISALLOWED:3 ' +
  'ERR_PACKAGE_IMPORT_NOT_DEFINED:345 ERR_PACKAGE_PATH_NOT_EXPORTED:2345 ERR_REQUIRE_ASYNC_MODULE:2345 ' +
  'ERR_REQUIRE_CYCLE_MODULE:1 ERR_REQUIRE_ESM:2345 ERR_UNKNOWN_BUILTIN_MODULE:1 ERR_UNKNOWN_FILE_EXTENSION:2 ' +
  'ERR_UNKNOWN_MODULE_FORMAT:2 ERR_UNSUPPORTED_DIR_IMPORT:345 ' +
  'ERR_UNSUPPORTED_RESOLVE_REQUEST:2 ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING:0 ERR_VM_MODULE_LINK_FAILURE:2345 ' +
  'ERR_VM_MODULE_STATUS:1 ERR_WORKER_INIT_FAILED:1 ERR_WORKER_INVALID_EXEC_ARGV:12345 ERR_WORKER_NOT_RUNNING:0 ' +
  'ERR_WORKER_OUT_OF_MEMORY:1 ERR_WORKER_PATH:12345 ERR_WORKER_UNSERIALIZABLE_ERROR:0 ' +
  'ERR_WORKER_UNSUPPORTED_OPERATION:1 '
).trim().split(' ');
for (const entry of arities) {
  const [code, counts] = entry.split(':');
  for (const count of counts) {
    const args = ['Aa', 'Bb', 'Cc', 'Dd', 'Ee'].slice(0, count);
    make(`${code} with ${count}`, () => new codes[code](...args));
    for (const kind of ['TypeError', 'RangeError']) {
      test(`${code}.${kind}`, () => (codes[code][kind] ? facts(new codes[code][kind](...args)) : 'none'));
    }
  }
}

// Codes that tell of a failed call, and those whose message depends on more than words.
const context = { code: 'EISDIR', message: 'is a dir', path: '/x', syscall: 'rm', errno: 21, dest: '/r' };
for (const code of [
  'ERR_FS_CP_DIR_TO_NON_DIR', 'ERR_FS_CP_EEXIST', 'ERR_FS_CP_EINVAL', 'ERR_FS_CP_FIFO_PIPE', 'ERR_FS_CP_NON_DIR_TO_DIR',
  'ERR_FS_CP_SOCKET', 'ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', 'ERR_FS_CP_UNKNOWN', 'ERR_FS_EISDIR',
  'ERR_SOCKET_BUFFER_SIZE', 'ERR_SYSTEM_ERROR', 'ERR_TTY_INIT_FAILED',
]) {
  make(code, () => new codes[code]({ ...context }));
  make(`${code} without paths`, () => new codes[code]({ code: 'E', message: 'm', syscall: 's' }));
  make(`${code} changed`, () => Object.assign(new codes[code]({ ...context }), { errno: 5, syscall: 's' }));
}
const url = { protocol: 'http:' };
for (const [code, ...args] of [
  ['ERR_INVALID_MODULE_SPECIFIER', 'a', 'b', undefined], ['ERR_INVALID_PACKAGE_CONFIG', 'p', null, 'm'],
  ['ERR_INVALID_PACKAGE_CONFIG', 'p', null, null], ['ERR_INVALID_PACKAGE_TARGET', '/p/', '.', './x'],
  ['ERR_INVALID_PACKAGE_TARGET', '/p/', '.', { a: 1 }, false, 'b'],
  ['ERR_INVALID_PACKAGE_TARGET', '/p/', '.', '../x', false, 'b'],
  ['ERR_INVALID_PACKAGE_TARGET', '/p/', '#s', 'x', true, 'b'], ['ERR_INVALID_PACKAGE_TARGET', '/p/', './s', 'x', false],
  ['ERR_MODULE_NOT_FOUND', '/p', '/b', 'u'], ['ERR_MODULE_NOT_FOUND', 'pkg', '/b', undefined],
  ['ERR_PACKAGE_IMPORT_NOT_DEFINED', '#x', undefined, '/b'], ['ERR_PACKAGE_IMPORT_NOT_DEFINED', '#x', '/p/', undefined],
  ['ERR_PACKAGE_PATH_NOT_EXPORTED', '/p/', '.'], ['ERR_PACKAGE_PATH_NOT_EXPORTED', '/p/', '.', 'b'],
  ['ERR_PARSE_ARGS_UNKNOWN_OPTION', '-x', false], ['ERR_PARSE_ARGS_UNKNOWN_OPTION', '-x', true],
  ['ERR_REQUIRE_ESM', '/x.js', false, '/p.js', null], ['ERR_REQUIRE_ESM', '/x.js', false, '/p.js', '/pkg.json'],
  ['ERR_REQUIRE_ESM', '/x.mjs', true], ['ERR_REQUIRE_ESM', '/x.mjs', false],
  ['ERR_REQUIRE_ESM', '/x.js', true, '/p.js'], ['ERR_REQUIRE_ESM', '/a/x.js', true, '/b/x.js', '/pkg.json'],
  ['ERR_REQUIRE_ESM', '/x.mjs', true, '/p.js'], ['ERR_REQUIRE_ESM', '/x.mjs', true, '/p.js', '/pkg.json'],
  ['ERR_REQUIRE_ESM', '/a/x.js', false, '/b/x.js', '/pkg.json'], ['ERR_SOCKET_BAD_PORT', 'Port', 70000, false],
  ['ERR_SOCKET_BAD_PORT', 'options.port', -1, true], ['ERR_UNSUPPORTED_ESM_URL_SCHEME', url, ['file', 'data', 'node']],
  ['ERR_UNHANDLED_ERROR', null], ['ERR_INVALID_URL', 'x', null], ['ERR_INVALID_URL_SCHEME', ['file', 'x']],
  ['ERR_INVALID_URL_SCHEME', ['file']], ['ERR_INVALID_MIME_SYNTAX', 'a', 'b', -1],
  ['ERR_MISSING_ARGS', ['a', 'b'], 'c'], ['ERR_MISSING_ARGS', ['a', 'b', 'd']], ['ERR_WORKER_PATH', 'file:///x'],
  ['ERR_FALSY_VALUE_REJECTION', 0], ['ERR_INVALID_ARG_VALUE', 'a.b', 'x'.repeat(200)],
  ['ERR_INVALID_ARG_VALUE', 'a', { deep: { deep: { deep: { deep: 1 } } } }, 'is odd'],
  ['ERR_OUT_OF_RANGE', 'It is out of range.', 'an integer', 1.5, true], ['ERR_BUFFER_OUT_OF_BOUNDS', 'offset'],
  ['ERR_INVALID_CHAR', 'header', 'x'], ['ERR_TEST_FAILURE', new Error('inner'), 'kind'],
  ['ERR_INTERNAL_ASSERTION', undefined], ['ERR_REQUIRE_ASYNC_MODULE', undefined, undefined],
  ['ERR_WORKER_INVALID_EXEC_ARGV', ['--a', '--b']],
]) {
  make(`${code} ${args.map(String)}`, () => new codes[code](...args));
}
test('instanceof', () => [
  new codes.ERR_INVALID_ARG_TYPE('a', 'string', 1) instanceof codes.ERR_INVALID_ARG_TYPE,
  new TypeError('x') instanceof codes.ERR_INVALID_ARG_TYPE,
]);

// The errors without a code of their own. Ours are made by functions, Node's by classes.
const by = (Node, ours) => (...args) => (onNode ? new errors[Node](...args) : errors[ours](...args));
const uvException = by('UVException', 'uvException');
const errnoException = by('ErrnoException', 'errnoException');
const exceptionWithHostPort = by('ExceptionWithHostPort', 'exceptionWithHostPort');
const uvExceptionWithHostPort = by('UVExceptionWithHostPort', 'uvExceptionWithHostPort');
const dnsException = by('DNSException', 'dnsException');
const plain = (label, fn) => test(label, () => {
  const error = fn();
  return JSON.stringify([error.name, error.message, Object.entries(error), String(error)]);
});
for (const errno of [-2, -13, -98, -111, -3008, -99999]) {
  plain(`uvException ${errno}`, () => uvException({ errno, syscall: 'open' }));
  plain(`uvException ${errno} paths`, () => uvException({ errno, syscall: 'open', path: 'p', dest: 'd' }));
  plain(`uvException ${errno} message`, () => uvException({ errno, syscall: 'open', path: 'p', message: 'm' }));
  plain(`exceptionWithHostPort ${errno}`, () => exceptionWithHostPort(errno, 'connect', '127.0.0.1', 80, 'local'));
  plain(`exceptionWithHostPort ${errno} path`, () => exceptionWithHostPort(errno, 'connect', '/tmp/x'));
  plain(`uvExceptionWithHostPort ${errno}`, () => uvExceptionWithHostPort(errno, 'listen', '::', 80));
  plain(`uvExceptionWithHostPort ${errno} path`, () => uvExceptionWithHostPort(errno, 'listen', '/tmp/x', -1));
  plain(`dnsException ${errno}`, () => dnsException(errno, 'getaddrinfo', 'foo.bar'));
}
for (const errno of [-2, -13, -98]) {
  plain(`errnoException ${errno}`, () => errnoException(errno, 'spawn', 'more'));
  plain(`errnoException ${errno} short`, () => errnoException(errno, 'spawn'));
}
plain('dnsException by name', () => dnsException('ENOTFOUND', 'queryA', 'foo.bar'));
plain('dnsException without host', () => dnsException(-3001, 'getaddrinfo'));
plain('connResetException', by('ConnResetException', 'connResetException').bind(null, 'socket hang up'));
plain('genericNodeError', () => errors.genericNodeError('m', { a: 1 }));
plain('AbortError', () => new errors.AbortError());
plain('AbortError with cause', () => new errors.AbortError('m', { cause: 'c' }));
test('AbortError with bad options', () => new errors.AbortError('m', 5));
test('aggregateTwoErrors', () => {
  const a = new Error('a');
  const b = Object.assign(new Error('b'), { code: 'B' });
  const both = errors.aggregateTwoErrors(a, b);
  const three = errors.aggregateTwoErrors(new Error('c'), both);
  return [
    both.name, both.code, both.message, both === three, ...both.errors.map((e) => e.message),
    errors.aggregateTwoErrors(null, a) === a, errors.aggregateTwoErrors(a, null) === a,
  ];
});

// A failed call of the file system, in the words that Node's own calls fail with.
const fs = onNode ? load('fs') : null;
for (const [code, syscall, path, dest, call] of [
  ['ENOENT', 'open', '/nope/x', undefined, () => fs.openSync('/nope/x')],
  ['ENOENT', 'rename', '/nope/x', '/nope/y', () => fs.renameSync('/nope/x', '/nope/y')],
  ['EBADF', 'close', undefined, undefined, () => fs.closeSync(9999)],
  ['ENOTDIR', 'scandir', '/dev/null', undefined, () => fs.readdirSync('/dev/null')],
]) {
  plain(`systemError ${code} ${syscall}`, () => {
    if (!onNode) return errors.systemError({ code, syscall, path, dest });
    try {
      return call();
    } catch (error) {
      return error;
    }
  });
}

// Validators: each with many values.
const validators = load('internal/validators');
const list = {
  ...values, minInt: -2147483648, below: -2147483649, maxInt: 2147483647, above: 2147483648, maxUint: 4294967295,
  aboveUint: 4294967296, unsafe: 2 ** 53, digits: '123', octal: '777', notOctal: '778', hex: '0x10', port: 8080,
  portText: '8080', blank: ' ', tooHigh: 65536, signalName: 'SIGINT', lowerSignal: 'sigint', strings: ['a', 'b'],
  booleans: [true], signal: { aborted: false }, signals: [{ aborted: false }, null], bytes: new Uint8Array(3),
  view: new DataView(new ArrayBuffer(1)), asyncFunc: async () => {}, link: '</styles.css>; rel=preload; as=style',
  links: ['</a.css>; rel=preload', '</b.js>; rel="modulepreload"'], badLink: 'styles.css',
};
for (const [label, value] of Object.entries(list)) {
  const check = (name, ...args) => test(`${name} ${label} ${args.map(String)}`, () => String(validators[name](value, ...args)));
  for (const name of [
    'validateString', 'validateBoolean', 'validateFunction', 'validateObject', 'validateArray',
    'validateStringArray', 'validateBooleanArray', 'validateAbortSignal', 'validateAbortSignalArray',
    'validateDictionary', 'validateBuffer', 'validateNumber', 'validateInteger', 'validateInt32',
    'validateUint32', 'validatePort',
  ]) check(name, 'arg');
  check('validatePort');
  check('validatePort', 'Port', false);
  check('validateNumber', 'a.b', 1, 10);
  check('validateNumber', 'a', undefined, 10);
  check('validateNumber', 'a', 1);
  check('validateInteger', 'a', 1, 10);
  check('validateInt32', 'a', 0);
  check('validateUint32', 'a', true);
  check('validateArray', 'a', 3);
  check('validateOneOf', 'a', ['text', 1, true, undefined]);
  check('validateUnion', 'a', ['text', 'other']);
  check('parseFileMode', 'mode', 0o666);
  if (typeof value !== 'bigint' && typeof value !== 'symbol' && label !== 'nullObject') {
    check('isInt32');
  }
  check('validateLinkHeaderValue');
  for (let flags = 0; flags < 8; flags++) check('validateObject', 'a', flags);
}
for (const [data, encoding] of [['abc', 'hex'], ['abcd', 'hex'], ['abc', 'HEX'], ['abc', 'utf8'], ['abc', undefined]]) {
  test(`validateEncoding ${data} ${encoding}`, () => String(validators.validateEncoding(data, encoding)));
}
