// The parser of the URL standard. Query and fragment end every other part, so they are split off
// first; what is left is read part by part. null says that the input is not a URL.
'use strict';

const { parseHost } = require('internal/url/host');
const { percentEncode } = require('internal/url/percent');
const { defaultPort, hasOpaquePath, isSpecial, newRecord, SPECIAL } = require('internal/url/record');

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

const dropTabsAndNewlines = (text) => (/[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]/g, '') : text);

/// Parses text without lone surrogates, against a parsed base if there is one.
function parse(input, base = null) {
  let text = dropTabsAndNewlines(input.replace(/^[\0-\x20]+/, '').replace(/[\0-\x20]+$/, ''));
  let fragment = null;
  let query = null;
  const hash = text.indexOf('#');
  if (hash >= 0) {
    fragment = percentEncode(text.slice(hash + 1), 'fragment');
    text = text.slice(0, hash);
  }
  const mark = text.indexOf('?');
  if (mark >= 0) {
    query = text.slice(mark + 1);
    text = text.slice(0, mark);
  }
  const scheme = SCHEME.exec(text)?.[0];
  const url = scheme === undefined
    ? parseWithoutScheme(text, base, query !== null, fragment !== null)
    : parseAfterScheme(scheme.slice(0, -1).toLowerCase(), text.slice(scheme.length), base, query !== null);
  if (url === null) return null;
  if (query !== null) url.query = encodeQuery(url, query);
  url.fragment = fragment;
  return url;
}

function encodeQuery(url, query) {
  return percentEncode(query, isSpecial(url) ? 'specialQuery' : 'query');
}

function parseWithoutScheme(text, base, hasQuery, hasFragment) {
  if (base === null) return null;
  if (hasOpaquePath(base)) return text === '' && !hasQuery && hasFragment ? { ...base } : null;
  const url = newRecord(base.scheme);
  return base.scheme === 'file' ? parseFile(url, text, base, hasQuery) : parseRelative(url, text, base, hasQuery);
}

function parseAfterScheme(scheme, text, base, hasQuery) {
  const url = newRecord(scheme);
  if (scheme === 'file') return parseFile(url, text, base?.scheme === 'file' ? base : null, hasQuery);
  if (SPECIAL.has(scheme)) {
    if (base?.scheme === scheme && !text.startsWith('//')) return parseRelative(url, text, base, hasQuery);
    return parseAuthority(url, text.replace(/^[\\/]+/, ''));
  }
  if (text.startsWith('//')) return parseAuthority(url, text.slice(2));
  if (text[0] === '/') return parsePath(url, text);
  url.path = percentEncode(text, 'c0');
  return url;
}

function copyAuthority(url, base) {
  url.username = base.username;
  url.password = base.password;
  url.host = base.host;
  url.port = base.port;
}

// The base's path, and its query where the reference has none of its own.
function copyPath(url, base, hasQuery) {
  url.path = [...base.path];
  if (!hasQuery) url.query = base.query;
}

function parseRelative(url, text, base, hasQuery) {
  const slash = isSpecial(url) ? /^[\\/]/ : /^\//;
  if (slash.test(text)) {
    if (isSpecial(url) && /^[\\/]{2}/.test(text)) return parseAuthority(url, text.replace(/^[\\/]+/, ''));
    if (text.startsWith('//')) return parseAuthority(url, text.slice(2));
    copyAuthority(url, base);
    return parsePath(url, text);
  }
  copyAuthority(url, base);
  copyPath(url, base, hasQuery || text !== '');
  if (text === '') return url;
  shorten(url);
  return parsePath(url, text);
}

// Everything up to the first slash: credentials before the last `@`, then host and port.
function parseAuthority(url, text) {
  const found = text.search(isSpecial(url) ? /[\\/]/ : /\//);
  const end = found < 0 ? text.length : found;
  const at = text.lastIndexOf('@', end - 1);
  let rest = text.slice(0, end);
  if (end > 0 && at >= 0) {
    const credentials = rest.slice(0, at);
    rest = rest.slice(at + 1);
    if (rest === '') return null;
    const colon = credentials.indexOf(':');
    url.username = percentEncode(colon < 0 ? credentials : credentials.slice(0, colon), 'userinfo');
    if (colon >= 0) url.password = percentEncode(credentials.slice(colon + 1), 'userinfo');
  }
  const { hostText, portText } = splitPort(rest);
  if (hostText === '' && (portText !== null || isSpecial(url))) return null;
  url.host = hostText === '' ? '' : parseHost(hostText, isSpecial(url));
  if (url.host === null) return null;
  if (portText) {
    if (!/^\d+$/.test(portText) || Number(portText) > 65535) return null;
    url.port = Number(portText) === defaultPort(url.scheme) ? null : Number(portText);
  }
  return parsePath(url, text.slice(end));
}

// Splits at the first colon outside brackets; without one there is no port text at all.
function splitPort(text) {
  let inBrackets = false;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') inBrackets = true;
    else if (text[i] === ']') inBrackets = false;
    else if (text[i] === ':' && !inBrackets) return { hostText: text.slice(0, i), portText: text.slice(i + 1) };
  }
  return { hostText: text, portText: null };
}

const isDriveLetter = (text) => /^[A-Za-z][:|]$/.test(text);
const isNormalDriveLetter = (text) => /^[A-Za-z]:$/.test(text);
const startsWithDriveLetter = (text) => /^[A-Za-z][:|](?:$|[\\/?#])/.test(text);

function parseFile(url, text, base, hasQuery) {
  url.host = '';
  if (/^[\\/]{2}/.test(text)) return parseFileHost(url, text.slice(2));
  if (/^[\\/]/.test(text)) {
    if (base !== null) {
      url.host = base.host;
      const onDrive = base.path.length > 0 && isNormalDriveLetter(base.path[0]);
      if (onDrive && !startsWithDriveLetter(text.slice(1))) url.path.push(base.path[0]);
    }
    return parsePath(url, text);
  }
  if (base === null) return parsePath(url, text);
  url.host = base.host;
  copyPath(url, base, hasQuery || text !== '');
  if (text === '') return url;
  if (startsWithDriveLetter(text)) url.path = [];
  else shorten(url);
  return parsePath(url, text);
}

function parseFileHost(url, text) {
  const found = text.search(/[\\/]/);
  const hostText = found < 0 ? text : text.slice(0, found);
  // `file://C:/x` means a path on a drive, not a host of that name.
  if (isDriveLetter(hostText)) return parsePath(url, text);
  if (hostText !== '') {
    const host = parseHost(hostText, true);
    if (host === null) return null;
    url.host = host === 'localhost' ? '' : host;
  }
  return parsePath(url, text.slice(hostText.length));
}

const isSingleDot = (segment) => segment === '.' || /^%2e$/i.test(segment);
const isDoubleDot = (segment) => segment === '..' || /^(?:\.|%2e){2}$/i.test(segment);

// A drive letter at the start of a file's path is not left by `..`. Node's parser also takes a longer
// name for one, such as `C:x`.
function shorten(url) {
  if (url.scheme === 'file' && url.path.length === 1 && /^[A-Za-z]:/.test(url.path[0])) return;
  url.path.pop();
}

// Appends the segments of `text` to the path, with or without a slash at its start.
function parsePath(url, text) {
  const special = isSpecial(url);
  if (text === '' && !special) return url;
  const path = special ? text.replaceAll('\\', '/') : text;
  const segments = (path[0] === '/' ? path.slice(1) : path).split('/');
  // Nothing leads back, as a rule: then no step is taken for each name.
  if (!/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path) && !(url.scheme === 'file' && isDriveLetter(segments[0]))) {
    url.path = url.path.concat(percentEncode(segments.join('/'), 'path').split('/'));
    return url;
  }
  for (let i = 0; i < segments.length; i++) {
    const last = i === segments.length - 1;
    let segment = segments[i];
    if (isDoubleDot(segment)) {
      // Where there was nothing to leave, Node's parser ends with no path rather than an empty one.
      if (last && !special && url.path.length === 0) return url;
      shorten(url);
      if (last) url.path.push('');
    } else if (isSingleDot(segment)) {
      if (last) url.path.push('');
    } else {
      if (url.scheme === 'file' && url.path.length === 0 && isDriveLetter(segment)) segment = `${segment[0]}:`;
      url.path.push(percentEncode(segment, 'path'));
    }
  }
  return url;
}

module.exports = { dropTabsAndNewlines, encodeQuery, parse, parsePath, splitPort };
