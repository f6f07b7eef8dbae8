// Whether a certificate is for the host that was called.
'use strict';

const { isIP } = require('internal/net/ip');

const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const labels = (host) => lower(host.replace(/\.$/, '')).split('.');

/// Whether a name of a certificate, which may begin with a star, is that of the host.
function matches(host, pattern) {
  // Names of the net have no other letters: what is not ASCII was meant to look like something else.
  if (!pattern || /[^\x21-\x7f]/.test(pattern)) return false;
  const [first, ...domain] = host;
  const [label, ...rest] = labels(pattern);
  if (label === '' || rest.includes('') || rest.join('.') !== domain.join('.')) return false;
  if (!label.includes('*') || label.includes('xn--')) return first === label;
  // One star at most, and not for a whole domain of the first level.
  const [front, back, more] = label.split('*');
  if (more !== undefined || rest.length < 2) return false;
  return front.length + back.length <= first.length && first.startsWith(front) && first.endsWith(back);
}

/// An address without zeros that need not be written.
function canonicalIP(text) {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const { hostname } = new (require('internal/url').URL)(`http://[${text.split('%')[0]}]`);
  return hostname.slice(1, -1);
}

// A comma between names, a string in quotes, or what stands between those.
const PIECE = /(, )|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|((?:(?!, )[^"])+)/y;

/// The names in a list of alternatives, in which a name that contains a comma is in quotes.
function split(list) {
  if (!list.includes('"')) return list.split(', ');
  const names = [''];
  for (PIECE.lastIndex = 0; PIECE.lastIndex < list.length;) {
    const found = PIECE.exec(list);
    if (found === null) {
      const { codes: { ERR_TLS_CERT_ALTNAME_FORMAT } } = require('internal/errors');
      throw new ERR_TLS_CERT_ALTNAME_FORMAT();
    }
    const [, comma, quoted, plain] = found;
    if (comma !== undefined) names.push('');
    else names.push(names.pop() + (plain ?? JSON.parse(quoted)));
  }
  return names;
}

function checkServerIdentity(hostname, cert) {
  const { subject, subjectaltname: alternatives } = cert;
  const listed = alternatives ? split(alternatives) : [];
  const after = (kind) => listed.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length));
  const names = after('DNS:');
  const addresses = after('IP Address:').map(canonicalIP);
  hostname = `${hostname}`;
  hostname = hostname.replace(/\.$/, '');
  let reason;
  if (isIP(hostname)) {
    if (addresses.includes(canonicalIP(hostname))) return undefined;
    reason = `IP: ${hostname} is not in the cert's list: ${addresses.join(', ')}`;
  } else if (names.length > 0 || subject?.CN) {
    const host = labels(hostname);
    if (names.length > 0) {
      if (names.some((name) => matches(host, name))) return undefined;
      reason = `Host: ${hostname}. is not in the cert's altnames: ${alternatives}`;
    } else {
      const { CN } = subject;
      if (Array.isArray(CN) ? CN.some((name) => matches(host, name)) : matches(host, CN)) return undefined;
      reason = `Host: ${hostname}. is not cert's CN: ${CN}`;
    }
  } else {
    reason = 'Cert does not contain a DNS name';
  }
  const { codes: { ERR_TLS_CERT_ALTNAME_INVALID } } = require('internal/errors');
  return new ERR_TLS_CERT_ALTNAME_INVALID(reason, hostname, cert);
}

module.exports = { checkServerIdentity, canonicalIP, matches };
