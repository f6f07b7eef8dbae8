// The classes URL and URLSearchParams, and paths of files as URLs.
//
// From `binding`, through the files it uses: cwd, randomUUID().
'use strict';

const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FILE_URL_HOST, ERR_INVALID_FILE_URL_PATH,
    ERR_INVALID_URL, ERR_INVALID_URL_SCHEME, ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const parser = require('internal/url/parser');
const { encodeChar } = require('internal/url/percent');
const record = require('internal/url/record');
const setters = require('internal/url/setters');
const { attach, countOf, parseParams, replaceList, toUSVString, URLSearchParams } = require('internal/url/search_params');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

// The arguments of the constructor and of the functions beside it, as strings.
function textsOf(args) {
  if (args.length === 0) throw new ERR_MISSING_ARGS('url');
  const input = toUSVString(args[0]);
  return { input, base: args[1] === undefined ? undefined : toUSVString(args[1]) };
}

// The parsed input, or null; the base is parsed even if the input does not need it.
function parseAgainst({ input, base }) {
  if (base === undefined) return parser.parse(input);
  const parsedBase = parser.parse(base);
  return parsedBase === null ? null : parser.parse(input, parsedBase);
}

// A blob's URL holds another URL, whose origin it has if that is one of the web.
function originOf(url) {
  if (url.scheme === 'blob') {
    const inner = parser.parse(record.serializePath(url));
    return inner !== null && (inner.scheme === 'http' || inner.scheme === 'https') ? originOf(inner) : 'null';
  }
  if (!record.isSpecial(url) || url.scheme === 'file') return 'null';
  return `${url.scheme}://${record.serializeHost(url)}`;
}

// The record of a URL that is truly one, else undefined: for url.format.
let recordOf;

/// The same, for those of its methods that say so to whoever is no URL.
function contextOf(value) {
  const context = recordOf(value);
  if (context === undefined) throw new TypeError('Receiver must be an instance of class URL');
  return context;
}

/// The error of the constructor: unlike others with a code, Node's does not show it in its name.
function invalid(texts) {
  const { input, base } = texts;
  const error = Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input });
  if (base !== undefined) error.base = base;
  Error.captureStackTrace(error, URL);
  return error;
}

/// More parameters than this are not written into the query at each change.
const MANY = 32;

/// Has the query of a record written when somebody reads it.
function postpone(context, write) {
  const place = { __proto__: null, configurable: true, enumerable: true };
  const settle = (value) => Object.defineProperty(context, 'query', { ...place, __proto__: null, value, writable: true });
  const get = () => {
    settle(null);
    write();
    return context.query;
  };
  Object.defineProperty(context, 'query', { ...place, __proto__: null, get, set: settle });
}

class URL {
  #context;
  #searchParams = null;

  static {
    recordOf = (value) => (value !== null && typeof value === 'object' && #context in value ? value.#context : undefined);
  }

  constructor(input, base = undefined) {
    const texts = textsOf(arguments);
    this.#context = parseAgainst(texts);
    if (this.#context === null) throw invalid(texts);
  }

  static parse(input, base = undefined) {
    return parseAgainst(textsOf(arguments)) === null ? null : new URL(input, base);
  }

  static canParse(input, base = undefined) {
    return parseAgainst(textsOf(arguments)) !== null;
  }

  static createObjectURL(obj) {
    return require('internal/url/blobs').createObjectURL(obj);
  }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw new (require('internal/errors').codes.ERR_MISSING_ARGS)('url');
    require('internal/url/blobs').revokeObjectURL(`${url}`);
  }

  [kInspect](depth, opts, inspect = require('internal/util/inspect').inspect) {
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = {};
    for (const name of PROPERTIES) shown[name] = this[name];
    return `${this.constructor.name} ${inspect(shown, opts)}`;
  }

  // The parameters follow the query, unless they are where the change comes from.
  #updateParams() {
    if (this.#searchParams !== null) replaceList(this.#searchParams, parseParams(this.#context.query ?? ''));
  }

  toString() {
    return record.serialize(contextOf(this));
  }

  get href() {
    return record.serialize(contextOf(this));
  }

  set href(value) {
    // Whoever is no URL is told so whatever the value is.
    void this.#context;
    const text = `${value}`;
    const url = parser.parse(text.toWellFormed());
    if (url === null) throw new ERR_INVALID_URL(text);
    this.#context = url;
    this.#updateParams();
  }

  get origin() {
    return originOf(this.#context);
  }

  get protocol() {
    return `${this.#context.scheme}:`;
  }

  set protocol(value) {
    setters.protocol(this.#context, toUSVString(value));
  }

  get username() {
    return this.#context.username;
  }

  set username(value) {
    setters.username(this.#context, toUSVString(value));
  }

  get password() {
    return this.#context.password;
  }

  set password(value) {
    setters.password(this.#context, toUSVString(value));
  }

  get host() {
    return this.#context.host ? record.serializeHost(this.#context) : '';
  }

  set host(value) {
    setters.host(this.#context, toUSVString(value));
  }

  get hostname() {
    return this.#context.host ?? '';
  }

  set hostname(value) {
    setters.hostname(this.#context, toUSVString(value));
  }

  get port() {
    return this.#context.port === null ? '' : `${this.#context.port}`;
  }

  set port(value) {
    setters.port(this.#context, toUSVString(value));
  }

  get pathname() {
    return record.serializePath(this.#context);
  }

  set pathname(value) {
    setters.pathname(this.#context, toUSVString(value));
  }

  get search() {
    const { query } = contextOf(this);
    return query ? `?${query}` : '';
  }

  set search(value) {
    setters.search(this.#context, toUSVString(value));
    this.#updateParams();
  }

  get searchParams() {
    if (this.#searchParams === null) {
      const params = new URLSearchParams();
      const write = () => {
        const query = params.toString();
        setters.search(this.#context, query === '' ? '' : `?${query}`);
      };
      attach(params, () => (countOf(params) > MANY ? postpone(this.#context, write) : write()));
      this.#searchParams = params;
      this.#updateParams();
    }
    return this.#searchParams;
  }

  get hash() {
    return this.#context.fragment ? `#${this.#context.fragment}` : '';
  }

  set hash(value) {
    setters.hash(this.#context, toUSVString(value));
  }

  toJSON() {
    return record.serialize(contextOf(this));
  }
}

const PROPERTIES = [
  'href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams',
  'hash',
];
for (const name of ['toString', ...PROPERTIES, 'toJSON']) {
  Object.defineProperty(URL.prototype, name, { enumerable: true });
}
for (const name of ['parse', 'canParse', 'createObjectURL', 'revokeObjectURL']) {
  Object.defineProperty(URL, name, { enumerable: true });
}
Object.defineProperty(URL.prototype, Symbol.toStringTag, { configurable: true, value: 'URL' });

// Anything that looks like a URL of the standard; what url.parse makes has `auth` and `path`.
function isURL(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

// The host that a domain becomes in a URL, or '' if it cannot be one. What follows the host is dropped.
function domainToASCII(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  const url = parser.parse('ws://x');
  return setters.hostname(url, toUSVString(domain)) ? url.host : '';
}

function domainToUnicode(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  return require('internal/idna').domainToUnicode(domainToASCII(domain));
}

function fileURLToPath(path, options = undefined) {
  const url = typeof path === 'string' ? new URL(path) : path;
  if (!isURL(url)) throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], path);
  if (url.protocol !== 'file:') throw new ERR_INVALID_URL_SCHEME('file');
  return (options?.windows ? windowsPath : posixPath)(url);
}

function posixPath({ hostname, pathname }) {
  if (hostname !== '') throw new ERR_INVALID_FILE_URL_HOST('linux');
  if (/%2f/i.test(pathname)) throw new ERR_INVALID_FILE_URL_PATH('must not include encoded / characters');
  return decodePath(pathname);
}

function windowsPath({ hostname, pathname }) {
  if (/%2f|%5c/i.test(pathname)) throw new ERR_INVALID_FILE_URL_PATH('must not include encoded \\ or / characters');
  const path = decodePath(pathname.replaceAll('/', '\\'));
  if (hostname !== '') return `\\\\${domainToUnicode(hostname)}${path}`;
  if (!/^.[A-Za-z]:/s.test(path)) throw new ERR_INVALID_FILE_URL_PATH('must be absolute');
  return path.slice(1);
}

// Engines word this error differently; this is V8's.
function decodePath(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new URIError('URI malformed');
  }
}

function pathToFileURL(filepath, options) {
  validateString(filepath, 'path');
  const path = require('path');
  const windows = options?.windows ?? false;
  const isUNC = windows && filepath.startsWith('\\\\');
  let resolved = isUNC ? filepath : path[windows ? 'win32' : 'posix'].resolve(filepath);
  if (isUNC) {
    const url = networkPathToURL(resolved);
    if (url !== null) return url;
    resolved = resolved.slice(4);
  } else if (/\/$/.test(filepath) || (windows && /\\$/.test(filepath))) {
    // Resolving takes the last separator away, but in a URL it tells a directory.
    if (!resolved.endsWith('/')) resolved += '/';
  }
  const encoded = encodePath(windows ? resolved.replaceAll('\\', '/') : resolved);
  return new URL(`file://${encoded[0] === '/' ? '' : '/'}${encoded}`);
}

// What the path state would leave but a path may hold: the separators of a URL, and whatever a
// reader of the result could trip over.
function encodePath(path) {
  return path.toWellFormed().replace(/[\0-\x20"#%<>?[\\\]^`{|}~\x7f-\u{10ffff}]/gu, encodeChar);
}

// `\\server\share\x`, also written `\\?\UNC\server\share\x`; null for `\\?\C:\x`, which is local.
function networkPathToURL(path) {
  const [, long, server, resource] = /^\\\\(\?\\UNC\\)?([^\\]*)(\\.*)?$/s.exec(path);
  if (long === undefined) {
    if (path.startsWith('\\\\?\\')) return null;
    if (server === '' && resource !== undefined) throw new ERR_INVALID_ARG_VALUE('path', path, 'Empty UNC servername');
  }
  if (resource === undefined) throw new ERR_INVALID_ARG_VALUE('path', path, 'Missing UNC resource path');
  const url = new URL('file://');
  url.hostname = domainToASCII(server);
  url.pathname = encodePath(resource.replaceAll('\\', '/'));
  return url;
}

// What http.request wants of a URL, in the order in which it is shown.
const HTTP_PARTS = ['protocol', 'hostname', 'hash', 'search', 'pathname', 'path', 'href'];

/// What http.request takes, of a URL.
function urlToHttpOptions(url) {
  const options = { __proto__: null, ...url };
  for (const part of HTTP_PARTS) options[part] = url[part];
  // Sockets take IPv6 addresses without the brackets.
  if (options.hostname?.[0] === '[') options.hostname = options.hostname.slice(1, -1);
  options.path = `${url.pathname || ''}${url.search || ''}`;
  if (url.port !== '') options.port = Number(url.port);
  const credentials = [url.username, url.password];
  if (credentials.some(Boolean)) options.auth = credentials.map((text) => decodeURIComponent(text)).join(':');
  return options;
}

module.exports = {
  domainToASCII, domainToUnicode, fileURLToPath, isURL, pathToFileURL, recordOf, URL, URLSearchParams,
  urlToHttpOptions,
};
