// MIME types as the standard of that name reads and writes them: essence and parameters, of a text, of a
// list of headers and of a data URL.
'use strict';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const QUOTED = /^[\t\x20-\x7e\x80-\xff]*$/;
const trim = (text) => text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');

/// Reads a quoted string that begins at `at`: its value and where it ends.
function readQuoted(text, at) {
  let value = '';
  for (at++; at < text.length; at++) {
    const char = text[at];
    if (char === '"') return [value, at + 1];
    if (char === '\\') value += ++at < text.length ? text[at] : '\\';
    else value += char;
  }
  return [value, at];
}

/// A MIME type, or undefined: its essence and a map of parameters.
function parseMimeType(input) {
  const text = trim(input);
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const type = text.slice(0, slash);
  let at = text.indexOf(';', slash);
  if (at < 0) at = text.length;
  const subtype = text.slice(slash + 1, at).replace(/[\t\n\r ]+$/, '');
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  const parameters = new Map();
  while (at < text.length) {
    at++;
    while (at < text.length && /[\t\n\r ]/.test(text[at])) at++;
    const start = at;
    while (at < text.length && text[at] !== ';' && text[at] !== '=') at++;
    const name = text.slice(start, at).toLowerCase();
    if (at >= text.length) break;
    if (text[at] === ';') continue;
    at++;
    let value;
    if (text[at] === '"') {
      [value, at] = readQuoted(text, at);
      while (at < text.length && text[at] !== ';') at++;
    } else {
      const from = at;
      while (at < text.length && text[at] !== ';') at++;
      value = text.slice(from, at).replace(/[\t\n\r ]+$/, '');
      if (value === '') continue;
    }
    if (TOKEN.test(name) && QUOTED.test(value) && !parameters.has(name)) parameters.set(name, value);
  }
  return { essence: `${type}/${subtype}`.toLowerCase(), parameters };
}

function serializeMimeType({ essence, parameters }) {
  let text = essence;
  for (const [name, value] of parameters) {
    text += `;${name}=`;
    text += TOKEN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
  }
  return text;
}

/// The values of a header that lists them, split at commas outside of quotes.
function splitValues(text) {
  const values = [];
  let value = '';
  for (let at = 0; at < text.length;) {
    if (text[at] === '"') {
      const [, end] = readQuoted(text, at);
      value += text.slice(at, end);
      at = end;
    } else if (text[at] === ',') {
      values.push(trim(value));
      value = '';
      at++;
    } else {
      value += text[at++];
    }
  }
  values.push(trim(value));
  return values;
}

/// The type that a list of headers says its body has, or undefined. The last one counts, and keeps the
/// charset of those before it as long as the essence stays.
function mimeTypeOf(headers) {
  const header = headers.get('content-type');
  if (header === null) return undefined;
  let charset = null;
  let essence = null;
  let found;
  for (const value of splitValues(header)) {
    const type = parseMimeType(value);
    if (type === undefined || type.essence === '*/*') continue;
    found = type;
    if (type.essence !== essence) {
      charset = type.parameters.get('charset') ?? null;
      essence = type.essence;
    } else if (!type.parameters.has('charset') && charset !== null) {
      type.parameters.set('charset', charset);
    }
  }
  return found;
}

/// What a data URL says: its type as written in a header and its bytes, or undefined.
function parseDataUrl(url) {
  const { Buffer } = require('buffer');
  const [text] = url.href.split('#', 1);
  const input = text.slice('data:'.length);
  const comma = input.indexOf(',');
  if (comma < 0) return undefined;
  let type = trim(input.slice(0, comma));
  let bytes = percentDecode(input.slice(comma + 1));
  const encoded = /; *base64$/i.exec(type);
  if (encoded !== null) {
    bytes = decodeBase64(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).latin1Slice());
    if (bytes === undefined) return undefined;
    type = type.slice(0, encoded.index);
  }
  if (type.startsWith(';')) type = `text/plain${type}`;
  const parsed = parseMimeType(type) ?? { essence: 'text/plain', parameters: new Map([['charset', 'US-ASCII']]) };
  return { type: serializeMimeType(parsed), bytes };
}

function percentDecode(text) {
  const { Buffer } = require('buffer');
  const bytes = Buffer.from(text, 'utf8');
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    const pair = byte === 0x25 ? bytes.latin1Slice(at + 1, Math.min(at + 3, bytes.length)) : '';
    if (/^[0-9A-Fa-f]{2}$/.test(pair)) {
      bytes[to++] = parseInt(pair, 16);
      at += 2;
    } else {
      bytes[to++] = byte;
    }
  }
  return bytes.subarray(0, to);
}

/// Base64 as `atob` reads it: spaces do not count, padding may be missing, anything else fails.
function decodeBase64(text) {
  let data = text.replace(/[\t\n\f\r ]/g, '');
  if (data.length % 4 === 0) data = data.replace(/==?$/, '');
  if (data.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(data)) return undefined;
  return new Uint8Array(require('buffer').Buffer.from(data, 'base64'));
}

module.exports = { mimeTypeOf, parseDataUrl, serializeMimeType };
