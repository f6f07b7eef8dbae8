// Forms as bytes: multipart/form-data, written and read.
//
// Takes from `binding`:
//   random()  a number from 0 up to 1
'use strict';

const { Buffer } = require('buffer');
const { File, bytesOfBlob } = require('internal/blob');

/// A line that separates parts, unlikely to be in any.
const newBoundary = () => `----formdata-undici-0${`${Math.floor(binding.random() * 1e11)}`.padStart(11, '0')}`;

const escape = (text) => text.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
const unescape = (text) => text.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');
const normalize = (text) => text.replace(/\r?\n|\r/g, '\r\n');

/// The pieces of a form, in order.
function encodeForm(form, boundary) {
  const pieces = [];
  const text = (value) => pieces.push(new Uint8Array(Buffer.from(value)));
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(normalize(name))}"`;
    if (typeof value === 'string') {
      text(`${head}\r\n\r\n${normalize(value)}\r\n`);
    } else {
      text(`${head}${value.name ? `; filename="${escape(value.name)}"` : ''}\r\n` +
        `Content-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`);
      pieces.push(bytesOfBlob(value));
      text('\r\n');
    }
  }
  text(`--${boundary}--\r\n`);
  return pieces;
}

/// Reads at a position that moves on.
class Cursor {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  startsWith(text) {
    const { bytes, at } = this;
    return bytes.length - at >= text.length && bytes.latin1Slice(at, at + text.length) === text;
  }

  skip(text) {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /// The bytes up to the first of these.
  until(...ends) {
    const start = this.at;
    while (this.at < this.bytes.length && !ends.includes(this.bytes[this.at])) this.at++;
    return this.bytes.subarray(start, this.at);
  }

  skipSpaces() {
    while (this.at < this.bytes.length && (this.bytes[this.at] === 0x20 || this.bytes[this.at] === 0x09)) this.at++;
  }
}

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const COLON = 0x3a;

/// The entries of a form, or undefined when it is none. `boundary` is the line without its dashes.
function parseForm(input, boundary, FormData) {
  const { TextDecoder } = require('internal/encoding');
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const cursor = new Cursor(bytes);
  const line = Buffer.from(`--${boundary}`).latin1Slice();
  const word = Buffer.from(boundary);
  const form = new FormData();
  while (cursor.startsWith('\r\n')) cursor.at += 2;
  let end = bytes.length;
  while (end > cursor.at && bytes[end - 1] === LF && bytes[end - 2] === CR) end -= 2;
  cursor.bytes = bytes.subarray(0, end);
  for (;;) {
    if (!cursor.skip(line)) return undefined;
    if (cursor.startsWith('--') && cursor.at + 2 === end) return form;
    if (!cursor.skip('\r\n')) return undefined;
    const head = parseHead(cursor);
    if (head === undefined || head.name === undefined || !cursor.skip('\r\n')) return undefined;
    // A part must not have it anywhere, with or without dashes.
    const stop = cursor.bytes.indexOf(word, cursor.at) - 2;
    if (stop < cursor.at + 2) return undefined;
    let body = cursor.bytes.subarray(cursor.at, stop - 2);
    cursor.at = stop - 2;
    if (!cursor.skip('\r\n')) return undefined;
    if (head.encoding === 'base64') body = Buffer.from(body.latin1Slice(), 'base64');
    if (head.filename === undefined) {
      form.append(head.name, new TextDecoder().decode(body));
    } else {
      const type = head.type ?? 'text/plain';
      form.append(head.name, new File([body], head.filename, { type: /[^\0-\x7f]/.test(type) ? '' : type }));
    }
  }
}

/// The headers of a part, up to the empty line. Only quoted names are taken, in the order in which all
/// browsers write them.
function parseHead(cursor) {
  const head = {};
  for (;;) {
    if (cursor.startsWith('\r\n')) return head;
    const name = cursor.until(LF, CR, COLON).latin1Slice().replace(/^[\t ]+|[\t ]+$/g, '');
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) || !cursor.skip(':')) return undefined;
    cursor.skipSpaces();
    switch (name.toLowerCase()) {
      case 'content-disposition':
        head.filename = undefined;
        if (!cursor.skip('form-data; name="')) return undefined;
        if ((head.name = parseName(cursor)) === undefined) return undefined;
        if (cursor.skip('; filename="') && (head.filename = parseName(cursor)) === undefined) return undefined;
        break;
      case 'content-type':
        head.type = cursor.until(LF, CR).latin1Slice().replace(/[\t ]+$/, '');
        break;
      case 'content-transfer-encoding':
        head.encoding = cursor.until(LF, CR).latin1Slice().replace(/[\t ]+$/, '');
        break;
      default:
        cursor.until(LF, CR);
    }
    // Like Node, content with half of a line's end.
    if (cursor.bytes[cursor.at] !== CR && cursor.bytes[cursor.at + 1] !== LF) return undefined;
    cursor.at += 2;
  }
}

/// The rest of a quoted name.
function parseName(cursor) {
  const name = cursor.until(LF, CR, QUOTE);
  if (!cursor.skip('"')) return undefined;
  const { TextDecoder } = require('internal/encoding');
  return unescape(new TextDecoder('utf-8', { ignoreBOM: true }).decode(name));
}

module.exports = { encodeForm, newBoundary, parseForm };
