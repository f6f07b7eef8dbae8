// A parsed URL: plain data, with the host as written, the port a number or null, and the path either
// a list of segments or, where a scheme has no slashes, one opaque text.
'use strict';

const SPECIAL = new Map([['http', 80], ['https', 443], ['ws', 80], ['wss', 443], ['ftp', 21], ['file', null]]);

const isSpecial = (url) => SPECIAL.has(url.scheme);
const defaultPort = (scheme) => SPECIAL.get(scheme) ?? null;
const hasOpaquePath = (url) => typeof url.path === 'string';
const cannotHaveCredentials = (url) => url.host === null || url.host === '' || url.scheme === 'file';

function newRecord(scheme = '') {
  return { scheme, username: '', password: '', host: null, port: null, path: [], query: null, fragment: null };
}

function serializeHost(url) {
  if (url.host === null) return '';
  return url.port === null ? url.host : `${url.host}:${url.port}`;
}

function serializePath(url) {
  if (hasOpaquePath(url)) return url.path;
  return url.path.length === 0 ? '' : `/${url.path.join('/')}`;
}

/// Whether the path, written without a host before it, would read as one.
function readsAsHost(url) {
  return !hasOpaquePath(url) && url.path.length > 1 && url.path[0] === '';
}

function serialize(url, withFragment = true) {
  let out = `${url.scheme}:`;
  if (url.host !== null) {
    out += '//';
    if (url.username !== '' || url.password !== '') {
      out += `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
    }
    out += serializeHost(url);
  } else if (readsAsHost(url)) {
    out += '/.';
  }
  out += serializePath(url);
  if (url.query !== null) out += `?${url.query}`;
  if (withFragment && url.fragment !== null) out += `#${url.fragment}`;
  return out;
}

module.exports = {
  cannotHaveCredentials, defaultPort, hasOpaquePath, isSpecial, newRecord, readsAsHost, serialize, serializeHost, serializePath, SPECIAL,
};
