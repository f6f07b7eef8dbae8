// url.resolve: a reference against a base, in the manner of browsers of old. The rules are in
// docs/library/url.md.
'use strict';

const { isSlashed, setPath, Url, urlParse } = require('internal/url/legacy');

const isRooted = (pathname) => Boolean(pathname) && pathname[0] === '/';
const isSet = (value) => value !== null && value !== undefined;
const namesOf = (pathname) => (pathname ? pathname.split('/') : []);

// Rule URL-12: which way a reference goes depends on how it starts.
function resolveObject(base, reference) {
  const relative = typeof reference === 'string' ? urlParse(reference, false, true) : reference;
  const result = Object.assign(new Url(), base);
  // Even an empty reference drops the fragment.
  result.hash = relative.hash;
  if (relative.href !== '') wayOf(result, relative)(result, relative);
  result.href = result.format();
  return result;
}

function wayOf(result, relative) {
  if (relative.slashes && !relative.protocol) return changeHost;
  if (!relative.protocol || relative.protocol === result.protocol) return changePath;
  return isSlashed(relative.protocol) ? changeProtocol : Object.assign;
}

// `//host/path` keeps nothing of the base but its protocol. Rule URL-13.
function changeHost(result, relative) {
  const { protocol } = result;
  Object.assign(result, relative, { protocol });
  if (!result.pathname && result.hostname && isSlashed(protocol)) result.path = result.pathname = '/';
}

// A protocol that has slashes wants a host: if there is none, it is what the path starts with.
// Rule URL-14.
function changeProtocol(result, relative) {
  const { protocol, search, query, auth, port } = relative;
  let { host, hostname, pathname } = relative;
  if (!host && !/^file:?$/.test(protocol)) {
    const [, first, rest] = /^\/*([^/]*)\/?([^]*)$/.exec(pathname || '');
    host = first;
    pathname = isRooted(rest) ? rest : `/${rest}`;
  }
  hostname ||= host;
  Object.assign(result, { protocol, pathname, search, query, host: host || '', auth, hostname, port });
  setPath(result);
  result.slashes ||= relative.slashes;
}

function takeSearch(result, { search, query }) {
  result.search = search;
  result.query = query;
}

// Rules URL-15 to URL-18.
function changePath(result, relative) {
  const fresh = namesOf(relative.pathname);
  const old = namesOf(result.pathname);
  const replaces = Boolean(relative.host) || isRooted(relative.pathname);
  const belowRoot = replaces || isRooted(result.pathname) || Boolean(result.host && relative.pathname);
  let absolute = belowRoot;
  let { host } = relative;

  // Protocols without slashes have no hosts of their own: there the host counts as the first name
  // of the path while the path is worked on.
  const opaque = Boolean(result.protocol) && !isSlashed(result.protocol);
  if (opaque) {
    putFirst(old, result.host);
    Object.assign(result, { host: '', hostname: '', port: null });
    if (relative.protocol) {
      putFirst(fresh, host);
      host = result.auth = null;
    }
    absolute &&= fresh[0] === '' || old[0] === '';
  }

  if (replaces) takeHost(result, relative, host);
  if (replaces || fresh.length > 0) takeSearch(result, relative);
  else if (isSet(relative.search)) return changeSearch(result, relative, opaque, old);

  const names = replaces ? fresh : fresh.length > 0 ? [...old.slice(0, -1), ...fresh] : old;
  if (names.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    return undefined;
  }
  const { kept, above } = walk(names);
  if (!belowRoot) kept.unshift(...Array(above).fill('..'));
  if (absolute && kept[0] !== '') kept.unshift('');
  const last = names[names.length - 1];
  const folder = last === '' || (isDots(last) && Boolean(result.host || host || names.length > 1));
  if (folder && !kept.join('/').endsWith('/')) kept.push('');
  setNames(result, kept, absolute, opaque);
  result.auth = relative.auth || result.auth;
  result.slashes ||= relative.slashes;
  return undefined;
}

function putFirst(names, host) {
  if (!host) return;
  if (names[0] === '') names[0] = host;
  else names.unshift(host);
}

// The host of the reference, if it has one. The name and password are for the host they came with.
// Rule URL-15.
function takeHost(result, relative, host) {
  if (!isSet(host)) return;
  if (host !== result.host) result.auth = null;
  result.host = host;
  result.hostname = relative.hostname;
  result.port = relative.port;
}

// `?query` keeps the path. Rule URL-16.
function changeSearch(result, relative, opaque, names) {
  if (opaque) takeHostBack(result, names.shift());
  takeSearch(result, relative);
  setPath(result);
}

const isDots = (name) => name === '.' || name === '..';

// The names without `.` and `..`, and how many levels above the first they lead. Rule URL-17.
function walk(names) {
  const kept = [];
  let above = 0;
  for (const name of names) {
    if (!isDots(name)) kept.push(name);
    else if (name === '..' && kept.pop() === undefined) above++;
  }
  return { kept, above };
}

// Rule URL-18.
function setNames(result, names, absolute, opaque) {
  const rooted = names[0] === '';
  if (opaque) takeHostBack(result, rooted ? '' : names.shift() ?? '');
  if (!rooted && (absolute || (result.host && names.length > 0))) names.unshift('');
  result.pathname = names.length > 0 ? names.join('/') : null;
  const { pathname, search } = result;
  result.path = isSet(pathname) || isSet(search) ? `${pathname || ''}${search || ''}` : null;
}

// The first name becomes the host again, as in `mailto:local@domain`.
function takeHostBack(result, name) {
  const [, auth, host] = /^([^@]+)@([^@]*)/.exec(name) ?? [, result.auth, name];
  Object.assign(result, { auth, host, hostname: host });
}

module.exports = { resolveObject };
