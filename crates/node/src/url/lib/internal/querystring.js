// Percent-encoding in the manner of node:querystring, which url.format shares.
'use strict';

const { codes: { ERR_INVALID_URI } } = require('internal/errors');

const percent = (byte) => `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`;

/// Encodes what `kept`, an expression for one ASCII character, does not match.
function encodeStr(str, kept) {
  let out = '';
  for (let i = 0; i < str.length; i++) {
    let code = str.charCodeAt(i);
    if (code < 0x80) {
      out += kept.test(str[i]) ? str[i] : percent(code);
      continue;
    }
    if (code < 0x800) {
      out += percent(0xc0 | (code >> 6)) + percent(0x80 | (code & 0x3f));
      continue;
    }
    if (code < 0xd800 || code >= 0xe000) {
      out += percent(0xe0 | (code >> 12)) + percent(0x80 | ((code >> 6) & 0x3f)) + percent(0x80 | (code & 0x3f));
      continue;
    }
    // Half of a pair takes whatever follows for its other half, as in Node.
    if (++i >= str.length) throw new ERR_INVALID_URI();
    code = 0x10000 + (((code & 0x3ff) << 10) | (str.charCodeAt(i) & 0x3ff));
    out += percent(0xf0 | (code >> 18)) + percent(0x80 | ((code >> 12) & 0x3f));
    out += percent(0x80 | ((code >> 6) & 0x3f)) + percent(0x80 | (code & 0x3f));
  }
  return out;
}

module.exports = { encodeStr };
