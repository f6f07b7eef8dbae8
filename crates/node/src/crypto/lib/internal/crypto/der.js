// DER, as far as it is written and read in JavaScript.
'use strict';

const OID = 6;
const SEQUENCE = 0x30;
const OCTETS = 4;

/// A value of that tag, of parts that are bytes.
function value(tag, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [tag];
  if (length < 0x80) head.push(length);
  else if (length < 0x100) head.push(0x81, length);
  else head.push(0x82, length >> 8, length & 0xff);
  const whole = new Uint8Array(head.length + length);
  whole.set(head);
  let at = head.length;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const sequence = (...parts) => value(SEQUENCE, ...parts);

/// The values that stand one after the other in some bytes: tag, body and the whole of each; undefined if that is not what they are.
function values(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length;) {
    let length = bytes[at + 1];
    let start = at + 2;
    if (length > 0x80) {
      const count = length - 0x80;
      length = 0;
      for (let digit = 0; digit < count; digit++) length = length * 256 + bytes[start++];
    }
    const end = start + length;
    // What is missing makes no number, and so no end within the bytes.
    if (!(end <= bytes.length)) return undefined;
    found.push({ tag: bytes[at], body: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

module.exports = { OCTETS, OID, sequence, value, values };
