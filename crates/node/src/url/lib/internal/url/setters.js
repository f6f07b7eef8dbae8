// What assigning to a property of a URL does to its record: the parser of the URL standard, started in
// the middle. A value that does not fit changes nothing.
'use strict';

const { parseHost } = require('internal/url/host');
const { dropTabsAndNewlines, encodeQuery, parsePath, splitPort } = require('internal/url/parser');
const { percentEncode } = require('internal/url/percent');
const { cannotHaveCredentials, defaultPort, hasOpaquePath, isSpecial, readsAsHost, SPECIAL } = require('internal/url/record');

// `data:a  ` would not come back from its own text, so trailing spaces go when nothing follows them.
function stripOpaqueSpaces(url) {
  if (hasOpaquePath(url) && url.fragment === null && url.query === null) url.path = url.path.replace(/ +$/, '');
}

// Says whether the host was taken. Node's parser differs from the standard where the host is empty: a URL
// without a host gets an empty one only if its path begins with two slashes, and a colon alone is enough to
// empty it. A port needs a host that was there before.
function setHost(url, value, withPort) {
  if (hasOpaquePath(url)) return false;
  const text = dropTabsAndNewlines(value);
  const special = isSpecial(url);
  const found = text.search(special ? /[\\/?#]/ : /[/?#]/);
  const authority = found < 0 ? text : text.slice(0, found);
  if (url.scheme === 'file') return setFileHost(url, authority);
  const { hostText, portText } = splitPort(authority);
  if (portText !== null && !withPort) return false;
  const mayHavePort = !cannotHaveCredentials(url);
  if (hostText === '') {
    if (special || (url.host === null && !readsAsHost(url))) return false;
    if (portText === null && (url.username !== '' || url.password !== '' || url.port !== null)) return false;
    url.host = '';
  } else {
    const host = parseHost(hostText, special);
    if (host === null) return false;
    url.host = host;
  }
  if (portText !== null && mayHavePort) setPortDigits(url, text.slice(hostText.length + 1));
  return true;
}

function setFileHost(url, text) {
  const host = text === '' ? '' : parseHost(text, true);
  if (host === null) return false;
  url.host = host === 'localhost' ? '' : host;
  return true;
}

// Takes the digits at the start; what follows them is not looked at. Digits that come later, after
// anything but a sign or a space, drop the port: again Node's parser, not the standard.
function setPortDigits(url, text) {
  if (!/^[^\0-\x20-].*$/s.test(text) || !/\d/.test(text)) return;
  const digits = /^\d+/.exec(text)?.[0];
  if (digits === undefined) url.port = null;
  else if (Number(digits) <= 65535) url.port = Number(digits) === defaultPort(url.scheme) ? null : Number(digits);
}

module.exports = {
  protocol(url, value) {
    const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(`${dropTabsAndNewlines(value)}:`);
    if (found === null) return;
    const scheme = found[1].toLowerCase();
    if (SPECIAL.has(scheme) !== isSpecial(url)) return;
    if (scheme === 'file' && (url.username !== '' || url.password !== '' || url.port !== null)) return;
    if (url.scheme === 'file' && url.host === '') return;
    url.scheme = scheme;
    if (url.port === defaultPort(scheme)) url.port = null;
  },

  username(url, value) {
    if (!cannotHaveCredentials(url)) url.username = percentEncode(value, 'userinfo');
  },

  password(url, value) {
    if (!cannotHaveCredentials(url)) url.password = percentEncode(value, 'userinfo');
  },

  host(url, value) {
    return setHost(url, value, true);
  },

  hostname(url, value) {
    return setHost(url, value, false);
  },

  port(url, value) {
    if (cannotHaveCredentials(url)) return;
    const text = dropTabsAndNewlines(value);
    if (text === '') url.port = null;
    else setPortDigits(url, text);
  },

  pathname(url, value) {
    if (hasOpaquePath(url)) return;
    url.path = [];
    const text = dropTabsAndNewlines(value);
    if (text === '' && url.host === null) url.path.push('');
    else parsePath(url, text);
  },

  search(url, value) {
    const text = value[0] === '?' ? value.slice(1) : value;
    url.query = value === '' ? null : encodeQuery(url, dropTabsAndNewlines(text));
    stripOpaqueSpaces(url);
  },

  hash(url, value) {
    const text = value[0] === '#' ? value.slice(1) : value;
    url.fragment = value === '' ? null : percentEncode(dropTabsAndNewlines(text), 'fragment');
    stripOpaqueSpaces(url);
  },
};
