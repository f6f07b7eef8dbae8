// url.parse and its Url object, from before the URL standard. Lenient in ways of its own, which
// programs rely on: the rules are in docs/library/url.md. Taken from `binding` where present: emitWarning.
'use strict';

const { codes: { ERR_INVALID_URL } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { encodeStr } = require('internal/querystring');
const { encodeChar } = require('internal/url/percent');
const querystring = require('querystring');

const SLASHED = new Set(['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss'].flatMap((name) => [name, `${name}:`]));
const isSlashed = (protocol) => SLASHED.has(protocol);
const isScript = (protocol) => protocol === 'javascript' || protocol === 'javascript:';

const MAX_HOSTNAME = 255;
const FORBIDDEN_IN_HOST = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const FORBIDDEN_IN_IPV6 = /[\0\t\n\r #%/<>?@\\^|]/;
const KEPT_IN_AUTH = /[\w!\-.~'()*:]/;
const isBracketed = (hostname) => hostname[0] === '[' && hostname[hostname.length - 1] === ']';

// In the order in which they are shown.
const PARTS = [
  'protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname', 'path', 'href',
];

// Rule URL-1.
function Url() {
  for (const part of PARTS) this[part] = null;
}

// Without spaces around it, and with slashes for backslashes up to the query or the hash, as in
// browsers. Rule URL-3.
function tidy(text) {
  const trimmed = text.replace(/^[\0-\x20\u00a0\ufeff]+/, '').replace(/[\0-\x20\u00a0\ufeff]+$/, '');
  return trimmed.replace(/^[^?#]+/, (start) => start.replaceAll('\\', '/'));
}

// Rule URL-8.
function setQuery(url, search, parseQueryString) {
  if (search !== undefined) url.search = search;
  const text = search?.slice(1) ?? null;
  if (!parseQueryString) url.query = text;
  else url.query = text === null ? { __proto__: null } : querystring.parse(text);
}

Url.prototype.parse = function parse(url, parseQueryString, slashesDenoteHost) {
  validateString(url, 'url');
  const text = tidy(url);
  if (slashesDenoteHost || !parsePlainPath(this, text, parseQueryString)) {
    const rest = parseStart(this, text, url, slashesDenoteHost);
    const [, pathname, search, hash] = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(rest);
    if (hash !== undefined) this.hash = hash;
    setQuery(this, search, parseQueryString);
    if (pathname !== '') this.pathname = pathname;
    // Rule URL-9.
    else if (this.hostname && isSlashed(this.protocol)) this.pathname = '/';
    setPath(this);
    this.href = this.format();
  }
  return this;
};

/// The path is what a request asks for.
function setPath(url) {
  if (url.pathname || url.search) url.path = `${url.pathname || ''}${url.search || ''}`;
}

// A path with perhaps a query and nothing else, which is what servers parse. Rule URL-4.
function parsePlainPath(url, text, parseQueryString) {
  const found = /^(\/\/?(?!\/)[^?#\s@]*)(\?[^#\s]*)?$/.exec(text);
  if (found === null) return false;
  [url.path, url.pathname] = found;
  url.href = url.path;
  setQuery(url, found[2], parseQueryString);
  return true;
}

// Takes the protocol and what is before the path, and gives what comes after. Rules URL-5 and URL-6.
function parseStart(self, text, url, slashesDenoteHost) {
  const [scheme = ''] = /^[a-z0-9.+-]+:/i.exec(text) ?? [];
  if (scheme !== '') self.protocol = scheme.toLowerCase();
  const rest = text.slice(scheme.length);
  if (isScript(self.protocol)) return rest;
  const mayHaveHost = slashesDenoteHost || scheme !== '' || /^\/\/[^@/]+@[^@/]+/.test(rest);
  const slashes = mayHaveHost && rest.startsWith('//');
  if (slashes) self.slashes = true;
  const start = slashes ? rest.slice(2) : rest;
  const hosted = slashes || (scheme !== '' && !isSlashed(scheme));
  return (hosted ? parseAuthority(self, start, url) : start).replace(/[\t\n\r "'<>\\^`{|}]/g, encodeChar);
}

// Takes `user:password@host:port` from the start and gives what comes after. Rule URL-7.
function parseAuthority(self, text, url) {
  const end = text.search(/[#/?]/);
  let authority = (end < 0 ? text : text.slice(0, end)).replace(/[\t\n\r]/g, '');
  let rest = end < 0 ? '' : text.slice(end);
  const at = authority.lastIndexOf('@');
  if (at >= 0) {
    self.auth = decodeAuth(authority.slice(0, at));
    authority = authority.slice(at + 1);
  }
  // Of what no host may hold, the first starts the path.
  const bad = authority.search(/[ "%';<>\\^`{|}]/);
  if (bad >= 0) {
    rest = authority.slice(bad) + rest;
    authority = authority.slice(0, bad);
  }
  self.host = authority;
  self.parseHost();
  if (typeof self.hostname !== 'string') self.hostname = '';
  const ipv6 = isBracketed(self.hostname);
  if (!ipv6) rest = trimHostname(self, rest, url);
  self.hostname = self.hostname.length > MAX_HOSTNAME ? '' : self.hostname.toLowerCase();
  if (self.hostname !== '') checkHostname(self, ipv6, url);
  self.host = (self.hostname || '') + (self.port ? `:${self.port}` : '');
  if (ipv6) {
    self.hostname = self.hostname.slice(1, -1);
    if (rest[0] !== '/') rest = `/${rest}`;
  }
  return rest;
}

// Engines word this error differently; this is V8's.
function decodeAuth(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new URIError('URI malformed');
  }
}

let hasWarned = false;

function warnOf(url) {
  if (hasWarned) return;
  hasWarned = true;
  binding.emitWarning?.(
    `The URL ${url} is invalid. Future versions of Node.js will throw an error.`, 'DeprecationWarning', 'DEP0170');
}

// A port that is no number ends the hostname and is put before the path.
function trimHostname(self, rest, url) {
  const { hostname } = self;
  const colon = hostname.indexOf(':');
  if (colon < 0) return rest;
  warnOf(url);
  self.hostname = hostname.slice(0, colon);
  return `/${hostname.slice(colon)}${rest}`;
}

// Mapping to ASCII could bring in what would make it another host.
function checkHostname(self, ipv6, url) {
  if (ipv6) {
    if (FORBIDDEN_IN_IPV6.test(self.hostname)) throw new ERR_INVALID_URL(url);
    return;
  }
  self.hostname = require('internal/idna').domainToASCII(self.hostname) ?? '';
  if (self.hostname === '' || FORBIDDEN_IN_HOST.test(self.hostname)) throw new ERR_INVALID_URL(url);
}

// The host with what is before and behind it; '' if there is none. Rule URL-11.
function authorityOf({ auth, host, hostname, port }) {
  let shown = host;
  if (!shown) {
    if (!hostname) return '';
    shown = hostname.includes(':') && !isBracketed(hostname) ? `[${hostname}]` : hostname;
    if (port) shown += `:${port}`;
  }
  return auth ? `${encodeStr(auth, KEPT_IN_AUTH)}@${shown}` : shown;
}

// `text` after `mark`, unless it is empty or has the mark.
const marked = (mark, text) => (text && text[0] !== mark ? mark + text : text);

// Rule URL-10.
Url.prototype.format = function format() {
  let protocol = this.protocol || '';
  if (protocol && !protocol.endsWith(':')) protocol += ':';
  const authority = authorityOf(this);
  let pathname = (this.pathname || '').replace(/[#?]/g, encodeChar);
  let slashes = '';
  if (this.slashes || (authority && isSlashed(protocol))) {
    slashes = '//';
    pathname = marked('/', pathname);
  } else if (isSlashed(protocol) && protocol.startsWith('file')) {
    slashes = '//';
  }
  const query = this.query !== null && typeof this.query === 'object' ? querystring.stringify(this.query) : '';
  const search = (this.search || marked('?', query)).replaceAll('#', '%23');
  return `${protocol}${slashes}${authority}${pathname}${marked('?', search)}${marked('#', this.hash || '')}`;
};

Url.prototype.resolve = function resolve(relative) {
  return this.resolveObject(urlParse(relative, false, true)).format();
};

Url.prototype.resolveObject = function resolveObject(relative) {
  return require('internal/url/legacy_resolve').resolveObject(this, relative);
};

// The port is what follows the last colon, if it is a number. Rule URL-7.
Url.prototype.parseHost = function parseHost() {
  const [, hostname, port] = /^([^]*?)(?::([0-9]*))?$/.exec(this.host ?? '');
  if (port) this.port = port;
  if (hostname) this.hostname = hostname;
};

// Rule URL-2.
function urlParse(url, parseQueryString, slashesDenoteHost) {
  return url instanceof Url ? url : new Url().parse(url, parseQueryString, slashesDenoteHost);
}

function urlResolve(source, relative) {
  return urlParse(source, false, true).resolve(relative);
}

function urlResolveObject(source, relative) {
  return source ? urlParse(source, false, true).resolveObject(relative) : relative;
}

module.exports = { isSlashed, setPath, Url, urlParse, urlResolve, urlResolveObject };
