// url.resolve: a reference against a base, in the manner of browsers of old.
'use strict';

const { isScript, isSlashed, Url } = require('internal/url/legacy');

const isNothing = (value) => value === null || value === undefined;
const startsAbsolute = (pathname) => Boolean(pathname) && pathname[0] === '/';

function finish(result) {
  result.href = result.format();
  return result;
}

function setPath(result) {
  result.path = (result.pathname || '') + (result.search || '');
}

function resolveObject(base, reference) {
  let relative = reference;
  if (typeof reference === 'string') {
    relative = new Url();
    relative.parse(reference, false, true);
  }
  const result = Object.assign(new Url(), base);
  // Even an empty reference drops the fragment.
  result.hash = relative.hash;
  if (relative.href === '') return finish(result);
  if (relative.slashes && !relative.protocol) return takeAllButProtocol(result, relative);
  if (relative.protocol && relative.protocol !== result.protocol) return changeProtocol(result, relative);
  return mergePaths(result, relative);
}

// `//host/path` keeps nothing of the base but its protocol.
function takeAllButProtocol(result, relative) {
  for (const key of Object.keys(relative)) if (key !== 'protocol') result[key] = relative[key];
  if (isSlashed(result.protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
  return finish(result);
}

// Of another protocol that has hosts, the host is required and may have been read as a path.
function changeProtocol(result, relative) {
  if (!isSlashed(relative.protocol)) return finish(Object.assign(result, relative));
  result.protocol = relative.protocol;
  if (!relative.host && !/^file:?$/.test(relative.protocol) && !isScript(relative.protocol)) {
    const segments = (relative.pathname || '').split('/');
    while (segments.length > 0 && !(relative.host = segments.shift()));
    relative.host ||= '';
    relative.hostname ||= '';
    if (segments[0] !== '') segments.unshift('');
    if (segments.length < 2) segments.unshift('');
    result.pathname = segments.join('/');
  } else {
    result.pathname = relative.pathname;
  }
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) setPath(result);
  result.slashes ||= relative.slashes;
  return finish(result);
}

// Protocols without slashes have no hosts of their own: there the host counts as the path's first
// segment while the path is worked on, and is put back afterwards.
function mergePaths(result, relative) {
  const relativeAbsolute = Boolean(relative.host) || startsAbsolute(relative.pathname);
  const noDotsAtStart = relativeAbsolute || startsAbsolute(result.pathname) || Boolean(result.host && relative.pathname);
  let mustBeAbsolute = noDotsAtStart;
  let segments = result.pathname ? result.pathname.split('/') : [];
  const added = relative.pathname ? relative.pathname.split('/') : [];
  const hostInPath = Boolean(result.protocol) && !isSlashed(result.protocol);
  if (hostInPath) {
    moveHostsIntoPaths(result, segments, relative, added);
    mustBeAbsolute &&= added[0] === '' || segments[0] === '';
  }

  if (relativeAbsolute) {
    takeHost(result, relative);
    result.search = relative.search;
    result.query = relative.query;
    segments = added;
  } else if (added.length > 0) {
    segments = [...segments.slice(0, -1), ...added];
    result.search = relative.search;
    result.query = relative.query;
  } else if (!isNothing(relative.search)) {
    if (hostInPath) putHostBack(result, segments.shift());
    result.search = relative.search;
    result.query = relative.query;
    if (result.pathname !== null || result.search !== null) setPath(result);
    return finish(result);
  }
  if (segments.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    return finish(result);
  }

  const last = segments[segments.length - 1];
  const endsInDots = (result.host || relative.host || segments.length > 1) && (last === '.' || last === '..');
  const trailingSlash = endsInDots || last === '';
  const above = removeDots(segments);
  if (!mustBeAbsolute && !noDotsAtStart) for (let i = 0; i < above; i++) segments.unshift('..');
  if (mustBeAbsolute && segments[0] !== '' && !startsAbsolute(segments[0])) segments.unshift('');
  if (trailingSlash && !segments.join('/').endsWith('/')) segments.push('');

  const absolute = segments[0] === '' || startsAbsolute(segments[0]);
  if (hostInPath) putHostBack(result, absolute || segments.length === 0 ? '' : segments.shift());
  mustBeAbsolute ||= Boolean(result.host && segments.length);
  if (mustBeAbsolute && !absolute) segments.unshift('');
  if (segments.length === 0) result.pathname = result.path = null;
  else result.pathname = segments.join('/');
  if (result.pathname !== null || result.search !== null) setPath(result);
  result.auth = relative.auth || result.auth;
  result.slashes ||= relative.slashes;
  return finish(result);
}

function moveHostsIntoPaths(result, segments, relative, added) {
  const move = (host, list) => {
    if (!host) return;
    if (list[0] === '') list[0] = host;
    else list.unshift(host);
  };
  move(result.host, segments);
  result.hostname = result.host = '';
  result.port = null;
  if (!relative.protocol) return;
  move(relative.host, added);
  relative.hostname = relative.host = relative.port = null;
  result.auth = null;
}

// Credentials do not follow to another host.
function takeHost(result, relative) {
  if (relative.host || relative.host === '') {
    if (result.host !== relative.host) result.auth = null;
    result.host = relative.host;
    result.port = relative.port;
  }
  if (relative.hostname || relative.hostname === '') {
    if (result.hostname !== relative.hostname) result.auth = null;
    result.hostname = relative.hostname;
  }
}

function putHostBack(result, host) {
  result.hostname = result.host = host;
  // As in `mailto:local@domain`.
  if (host && host.indexOf('@') > 0) {
    const [auth, name] = host.split('@');
    result.auth = auth;
    result.host = result.hostname = name;
  }
}

// Resolves `.` and `..` in place and says how many levels above the start the path went.
function removeDots(segments) {
  let above = 0;
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i];
    if (segment === '.') {
      segments.splice(i, 1);
    } else if (segment === '..') {
      segments.splice(i, 1);
      above++;
    } else if (above > 0) {
      segments.splice(i, 1);
      above--;
    }
  }
  return above;
}

module.exports = { resolveObject };
