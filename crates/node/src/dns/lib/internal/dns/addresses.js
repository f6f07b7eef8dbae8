// Addresses in bytes and in writing.
'use strict';

const { isIPv4, isIPv6 } = require('internal/net/ip');

/// The bytes of an address; undefined for what is none. A zone is left out.
function toBytes(text) {
  if (isIPv4(text)) return text.split('.').map(Number);
  if (!isIPv6(text)) return undefined;
  text = text.split('%')[0];
  const bytesOf = (part) => {
    if (part === '') return [];
    return part.split(':').flatMap((piece) => {
      if (piece.includes('.')) return piece.split('.').map(Number);
      const number = Number.parseInt(piece, 16);
      return [number >> 8, number & 0xff];
    });
  };
  const [before, after] = text.split('::');
  if (after === undefined) return bytesOf(before);
  const [first, last] = [bytesOf(before), bytesOf(after)];
  return [...first, ...new Array(16 - first.length - last.length).fill(0), ...last];
}

// Where the longest run of groups of zeros begins, and how long it is; one group is no run.
function longestRun(groups) {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/// An address in writing, from 4 or 16 bytes.
function toText(bytes) {
  if (bytes.length === 4) return Array.from(bytes).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => (bytes[2 * i] << 8) | bytes[2 * i + 1]);
  const { start, length } = longestRun(groups);
  const hex = (part) => part.map((group) => group.toString(16)).join(':');
  if (start === -1) return hex(groups);
  // What stands for an address of version 4 ends in one.
  const standsFor4 = start === 0 &&
    (length === 6 || (length === 5 && groups[5] === 0xffff));
  if (standsFor4) return `::${length === 5 ? 'ffff:' : ''}${Array.from(bytes).slice(12).join('.')}`;
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/// The name under which the names of an address are looked up.
function reverseName(bytes) {
  if (bytes.length === 4) return `${[...bytes].reverse().join('.')}.in-addr.arpa`;
  const digits = [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
  return `${digits.reverse().map((digit) => digit.toString(16)).join('.')}.ip6.arpa`;
}

module.exports = { toBytes, toText, reverseName };
