// Percent-encoding as the URL standard has it: UTF-8 bytes, and a set of ASCII characters to encode
// that depends on the part of the URL.
'use strict';

const sets = { c0: '' };
sets.fragment = ' "<>`';
sets.query = ' "#<>';
sets.specialQuery = `${sets.query}'`;
sets.path = `${sets.query}?\`{}`;
sets.userinfo = `${sets.path}/:;=@[\\]^|`;

// For each set, an expression that finds what has to be encoded.
const patterns = {};
for (const [name, chars] of Object.entries(sets)) {
  patterns[name] = new RegExp(`[\\0-\\x1f\\x7f-\\u{10ffff}${chars.replace(/[\\\]^]/g, '\\$&')}]`, 'gu');
}

const HEX = Array.from({ length: 256 }, (_, byte) => `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`);

function encodeChar(char) {
  const code = char.codePointAt(0);
  if (code < 0x80) return HEX[code];
  if (code < 0x800) return HEX[0xc0 | (code >> 6)] + HEX[0x80 | (code & 0x3f)];
  const tail = HEX[0x80 | ((code >> 6) & 0x3f)] + HEX[0x80 | (code & 0x3f)];
  if (code < 0x10000) return HEX[0xe0 | (code >> 12)] + tail;
  return HEX[0xf0 | (code >> 18)] + HEX[0x80 | ((code >> 12) & 0x3f)] + tail;
}

function percentEncode(text, set) {
  return text.replace(patterns[set], encodeChar);
}

/// Decodes every `%XX` and reads the bytes as UTF-8, with U+FFFD for what is not.
function percentDecode(text) {
  if (!/%[0-9A-Fa-f]{2}/.test(text)) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    const bytes = [];
    for (let i = 0; i < run.length; i += 3) bytes.push(Number.parseInt(run.slice(i + 1, i + 3), 16));
    return decodeUtf8(bytes);
  });
}

// A run of bytes is complete in itself: the characters around it are ASCII or whole code points, and
// none of them can finish a sequence.
function decodeUtf8(bytes) {
  let out = '';
  for (let i = 0; i < bytes.length;) {
    const lead = bytes[i++];
    if (lead < 0x80) {
      out += String.fromCharCode(lead);
      continue;
    }
    const length = lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    // The second byte's bounds rule out long forms, surrogates and numbers beyond Unicode.
    let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    let code = lead & (0x3f >> length);
    let seen = 0;
    for (; seen < length && bytes[i] >= low && bytes[i] <= high; seen++) {
      code = (code << 6) | (bytes[i++] & 0x3f);
      low = 0x80;
      high = 0xbf;
    }
    out += length > 0 && seen === length ? String.fromCodePoint(code) : '\ufffd';
  }
  return out;
}

module.exports = { encodeChar, percentDecode, percentEncode };
