// Domain names beyond ASCII, by UTS 46 with the options of the URL standard, as Node has it: the mapping of Unicode
// 15.0, joiners are checked, and each label is checked for its direction by itself.
'use strict';

const punycode = require('internal/punycode');

const IGNORED = /[\u00ad\u034f\u180b-\u180d\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff\u{1bca0}-\u{1bca3}\u{e0100}-\u{e01ef}]/gu;
const DOTS = /[\u3002\uff0e\uff61]/g;
// What no label may hold, though it is assigned: fillers, marks of direction and format, capitals that had no small
// letter once, ideographs whose normal form was wrong once or that came later, and what would bring in new dots.
const EXCLUDED = new RegExp('[\\u04c0\\u061c\\u10a0-\\u10c5\\u115f\\u1160\\u17b4\\u17b5\\u1806\\u180e\\u2024-\\u2026\\u2132\\u2183' +
  '\\u2488-\\u249b\\u2ff0-\\u2fff\\u3164\\u31ef\\u33c2\\u33c7\\u33d8\\ufe12\\ufe19\\ufe30\\ufe52\\uffa0\\ufffc\\ufffd\\u{1d173}-\\u{1d17a}' +
  '\\u{1f100}\\u{2ebf0}-\\u{2ee5d}\\u{2f868}\\u{2f874}\\u{2f91f}\\u{2f95f}\\u{2f9bf}\\u{323b0}-\\u{33479}]', 'u');
const UNASSIGNED = /[\p{C}\p{Z}]/u;
const JOINERS = /[\u200c\u200d]/g;
// Capitals of Cherokee are the older letters, so the small ones become capitals.
const CHEROKEE = /[\u13a0-\u13fd\uab70-\uabbf]/;
// Letters that stay: sharp s, final sigma, dotless i.
const KEPT = /[\u00df\u03c2\u0131]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// A letter without its case. Going by the capital gives what all forms of a letter share.
function fold(letter) {
  if (letter <= '\x7f' || KEPT.test(letter)) return letter.toLowerCase();
  if (letter === '\u1e9e') return 'ss';
  const capital = letter.toUpperCase();
  return CHEROKEE.test(letter) ? capital : capital.toLowerCase();
}

// What UTS 46 maps a character to. Only a final sigma that was written as such stays one.
function mapCharacter(character) {
  if (KEPT.test(character)) return character;
  let mapped = '';
  for (const letter of character.normalize('NFKC')) mapped += letter === '\u03c2' ? '\u03c3' : fold(letter);
  return mapped.normalize('NFKC');
}

function map(domain) {
  let mapped = '';
  for (const character of domain.replace(IGNORED, '')) mapped += mapCharacter(character);
  return mapped.normalize('NFC');
}

const isPlain = (label) => /^[\0-\x7f]*$/.test(label);

// A label that came encoded has to be what encoding would have made.
function decodeLabel(label) {
  try {
    const decoded = punycode.decode(label.slice(4));
    return decoded === '' || isPlain(decoded) || EXCLUDED.test(decoded) || map(decoded) !== decoded ? null : decoded;
  } catch {
    return null;
  }
}

function validLabel(label) {
  if (UNASSIGNED.test(label.replace(JOINERS, '')) || /^\p{M}/u.test(label)) return false;
  const special = require('internal/idna_classes');
  if (label.search(JOINERS) !== -1 && !special.joinersFit(label)) return false;
  return !RIGHT_TO_LEFT.test(label) || special.directionFits(label);
}

// The labels in Unicode; a label that is not valid is null.
function unicodeLabels(domain) {
  if (EXCLUDED.test(domain)) return [null];
  return map(domain.replace(DOTS, '.')).split('.').map((label) => {
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
