// Domain names beyond ASCII, by UTS 46 as the URL standard sets its options.
//
// The parts that need no tables are done here: enough for names in everyday scripts, without the rules
// about joiners and about direction.
'use strict';

const punycode = require('punycode');

const IGNORED = /[\u00ad\u034f\u180b-\u180d\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff]/g;
const DOTS = /[\u3002\uff0e\uff61]/g;
// What no label may hold: control characters, spaces, unassigned and private code points, joiners,
// and the dot leaders, whose decomposition would bring in new dots.
const DISALLOWED = /[\p{C}\p{Z}\u2024-\u2026\ufffc\ufffd\u3164\u115f\u1160\uffa0]/u;

// Lower-cases and decomposes. The capital sharp s becomes two letters, the small one stays.
function mapLabel(label) {
  return label.replaceAll('\u1e9e', 'ss').normalize('NFKC').toLowerCase().normalize('NFKC').replace(IGNORED, '');
}

const isPlain = (label) => /^[\0-\x7f]*$/.test(label);

// A label that came encoded has to be what encoding would have made.
function decodeLabel(label) {
  try {
    const decoded = punycode.decode(label.slice(4));
    return decoded === '' || isPlain(decoded) || mapLabel(decoded) !== decoded ? null : decoded;
  } catch {
    return null;
  }
}

function validLabel(label) {
  return !DISALLOWED.test(label) && !/^\p{M}/u.test(label);
}

// The labels in Unicode; a label that is not valid is null.
function unicodeLabels(domain) {
  const labels = domain.replace(IGNORED, '').replace(DOTS, '.').split('.').map(mapLabel);
  return labels.map((label) => {
    if (label.startsWith('xn--')) {
      const decoded = isPlain(label) ? decodeLabel(label) : null;
      return decoded !== null && validLabel(decoded) ? decoded : null;
    }
    return isPlain(label) || validLabel(label) ? label : null;
  });
}

/// The domain in ASCII, or null if it cannot be.
function domainToASCII(domain) {
  if (isPlain(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  const labels = unicodeLabels(domain);
  if (labels.includes(null)) return null;
  return labels.map((label) => (isPlain(label) ? label : `xn--${punycode.encode(label)}`)).join('.');
}

/// The domain in Unicode, for people to read; labels that cannot be decoded stay.
function domainToUnicode(domain) {
  return domain.split('.').map((label) => (label.startsWith('xn--') ? decodeLabel(label) ?? label : label)).join('.');
}

module.exports = { domainToASCII, domainToUnicode };
