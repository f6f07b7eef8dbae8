// url.parse and its Url object, from before the URL standard. Lenient in ways of its own, which
// programs rely on, so the steps keep Node's order.
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

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

// Trims spaces, and turns backslashes before the query into slashes as browsers do.
function tidy(url) {
  const text = url.replace(/^[\0-\x20\u00a0\ufeff]+/, '').replace(/[\0-\x20\u00a0\ufeff]+$/, '');
  const end = text.search(/[?#]/);
  return end < 0 ? text.replaceAll('\\', '/') : text.slice(0, end).replaceAll('\\', '/') + text.slice(end);
}

Url.prototype.parse = function parse(url, parseQueryString, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = tidy(url);
  const beforeQuery = rest.split(/[?#]/, 1)[0];
  const mayBePath = !slashesDenoteHost && !rest.includes('#') && !beforeQuery.includes('@');
  if (mayBePath && parsePlainPath(this, rest, parseQueryString)) return this;

  const proto = /^[a-z0-9.+-]+:/i.exec(rest)?.[0];
  if (proto !== undefined) {
    this.protocol = proto.toLowerCase();
    rest = rest.slice(proto.length);
  }
  const script = isScript(this.protocol);
  let slashes = false;
  if (slashesDenoteHost || proto !== undefined || /^\/\/[^@/]+@[^@/]+/.test(rest)) {
    slashes = rest.startsWith('//');
    if (slashes && !script) {
      rest = rest.slice(2);
      this.slashes = true;
    }
  }
  if (!script && (slashes || (proto !== undefined && !isSlashed(proto)))) rest = parseAuthority(this, rest, url);
  if (!script) rest = rest.replace(/[\t\n\r "'<>\\^`{|}]/g, encodeChar);

  const hash = rest.indexOf('#');
  if (hash >= 0) {
    this.hash = rest.slice(hash);
    rest = rest.slice(0, hash);
  }
  const mark = rest.indexOf('?');
  if (mark >= 0) {
    this.search = rest.slice(mark);
    this.query = rest.slice(mark + 1);
    if (parseQueryString) this.query = querystring.parse(this.query);
    rest = rest.slice(0, mark);
  } else if (parseQueryString) {
    this.query = { __proto__: null };
  }
  if (rest !== '') this.pathname = rest;
  if (isSlashed(this.protocol) && this.hostname && !this.pathname) this.pathname = '/';
  if (this.pathname || this.search) this.path = (this.pathname || '') + (this.search || '');
  this.href = this.format();
  return this;
};

// A path with perhaps a query and nothing else, which is what servers parse.
function parsePlainPath(url, text, parseQueryString) {
  const found = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/.exec(text);
  if (found === null) return false;
  url.path = url.href = text;
  url.pathname = found[1];
  if (found[2]) {
    url.search = found[2];
    url.query = parseQueryString ? querystring.parse(found[2].slice(1)) : found[2].slice(1);
  } else if (parseQueryString) {
    url.query = { __proto__: null };
  }
  return true;
}

// Takes `user:password@host:port` from the start and gives what comes after.
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
  if (!ipv6) rest = trimHostname(self, rest);
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

// A port that is no number ends the hostname and is put before the path.
function trimHostname(self, rest) {
  const { hostname } = self;
  const colon = hostname.indexOf(':');
  if (colon < 0) return rest;
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

Url.prototype.format = function format() {
  const auth = this.auth ? `${encodeStr(this.auth, KEPT_IN_AUTH)}@` : '';
  let protocol = this.protocol || '';
  let pathname = this.pathname || '';
  let hash = this.hash || '';
  let host = '';
  let query = '';
  if (this.host) {
    host = auth + this.host;
  } else if (this.hostname) {
    host = auth + (this.hostname.includes(':') && !isBracketed(this.hostname) ? `[${this.hostname}]` : this.hostname);
    if (this.port) host += `:${this.port}`;
  }
  if (this.query !== null && typeof this.query === 'object') query = querystring.stringify(this.query);
  let search = this.search || (query && `?${query}`) || '';
  if (protocol && protocol[protocol.length - 1] !== ':') protocol += ':';
  pathname = pathname.replace(/[#?]/g, (char) => (char === '#' ? '%23' : '%3F'));
  if (this.slashes || isSlashed(protocol)) {
    if (this.slashes || host) {
      if (pathname && pathname[0] !== '/') pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol.startsWith('file')) {
      host = '//';
    }
  }
  search = search.replaceAll('#', '%23');
  if (hash && hash[0] !== '#') hash = `#${hash}`;
  if (search && search[0] !== '?') search = `?${search}`;
  return protocol + host + pathname + search + hash;
};

Url.prototype.resolve = function resolve(relative) {
  return this.resolveObject(urlParse(relative, false, true)).format();
};

Url.prototype.resolveObject = function resolveObject(relative) {
  return require('internal/url/legacy_resolve').resolveObject(this, relative);
};

Url.prototype.parseHost = function parseHost() {
  let { host } = this;
  const port = /:[0-9]*$/.exec(host)?.[0];
  if (port !== undefined) {
    if (port !== ':') this.port = port.slice(1);
    host = host.slice(0, host.length - port.length);
  }
  if (host) this.hostname = host;
};

function urlParse(url, parseQueryString, slashesDenoteHost) {
  if (url instanceof Url) return url;
  const object = new Url();
  object.parse(url, parseQueryString, slashesDenoteHost);
  return object;
}

function urlResolve(source, relative) {
  return urlParse(source, false, true).resolve(relative);
}

function urlResolveObject(source, relative) {
  if (!source) return relative;
  return urlParse(source, false, true).resolveObject(relative);
}

module.exports = { isScript, isSlashed, Url, urlParse, urlResolve, urlResolveObject };
