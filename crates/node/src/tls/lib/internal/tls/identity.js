// Whether a certificate is for the host that was called.
'use strict';

const { isIP } = require('internal/net/ip');

const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const labels = (host) => lower(host.replace(/\.$/, '')).split('.');

/// Whether a name of a certificate, which may begin with a star, is that of the host.
function matches(host, pattern) {
  if (!pattern) return false;
  const wanted = labels(pattern);
  if (host.length !== wanted.length || wanted.includes('')) return false;
  // Names of the net have no other letters: what is not ASCII was meant to look like something else.
  if (/[^\x21-\x7f]/.test(pattern)) return false;
  for (let at = host.length - 1; at > 0; at--) if (host[at] !== wanted[at]) return false;
  const [first] = host;
  const [star] = wanted;
  const parts = star.split('*', 3);
  if (parts.length === 1 || star.includes('xn--')) return first === star;
  // One star at most, and not for a whole domain of the first level.
  if (parts.length > 2 || wanted.length <= 2) return false;
  const [front, back] = parts;
  return front.length + back.length <= first.length && first.startsWith(front) && first.endsWith(back);
}

/// An address without zeros that need not be written.
function canonicalIP(text) {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const { hostname } = new (require('internal/url').URL)(`http://[${text.split('%')[0]}]`);
  return hostname.slice(1, -1);
}

/// The names in a list of alternatives, in which a name that contains a comma is in quotes.
function split(list) {
  if (!list.includes('"')) return list.split(', ');
  const names = [];
  let current = '';
  for (let at = 0; at < list.length;) {
    const comma = list.indexOf(', ', at);
    const quote = list.indexOf('"', at);
    if (quote === -1 || (comma !== -1 && comma < quote)) {
      const end = comma === -1 ? list.length : comma;
      names.push(current + list.slice(at, end));
      current = '';
      at = end + 2;
      continue;
    }
    current += list.slice(at, quote);
    const quoted = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.exec(list.slice(quote));
    if (quoted === null) {
      const { codes: { ERR_TLS_CERT_ALTNAME_FORMAT } } = require('internal/errors');
      throw new ERR_TLS_CERT_ALTNAME_FORMAT();
    }
    current += JSON.parse(quoted[0]);
    at = quote + quoted[0].length;
    if (at >= list.length) {
      names.push(current);
    } else if (list.startsWith(', ', at)) {
      names.push(current);
      current = '';
      at += 2;
    }
  }
  return names;
}

function checkServerIdentity(hostname, cert) {
  const { subject, subjectaltname: alternatives } = cert;
  const names = [];
  const addresses = [];
  hostname = `${hostname}`;
  if (alternatives) {
    for (const name of split(alternatives)) {
      if (name.startsWith('DNS:')) names.push(name.slice(4));
      else if (name.startsWith('IP Address:')) addresses.push(canonicalIP(name.slice(11)));
    }
  }
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
