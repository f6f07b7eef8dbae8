// The host of a URL: a domain, an IPv4 or IPv6 address, or text that is not looked into. A host is
// kept as the text it is written as; null says that it is not valid.
'use strict';

const { percentDecode, percentEncode } = require('internal/url/percent');

const FORBIDDEN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const FORBIDDEN_DOMAIN = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

function parseHost(input, special) {
  if (input[0] === '[') {
    if (input[input.length - 1] !== ']') return null;
    const pieces = parseIPv6(input.slice(1, -1));
    return pieces === null ? null : `[${serializeIPv6(pieces)}]`;
  }
  if (!special) return FORBIDDEN_HOST.test(input) ? null : percentEncode(input, 'c0');
  // Most hosts are lower-case ASCII already.
  const plain = /^[a-z0-9.-]+$/.test(input) && !input.includes('xn--');
  const domain = plain ? input : require('internal/idna').domainToASCII(percentDecode(input));
  if (domain === null || domain === '' || (!plain && FORBIDDEN_DOMAIN.test(domain))) return null;
  return endsInNumber(domain) ? parseIPv4(domain) : domain;
}

function endsInNumber(domain) {
  const parts = domain.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  return /^(?:\d+|0x[0-9a-f]*)$/i.test(parts[parts.length - 1]);
}

// A part of an IPv4 address: decimal, octal after `0` or hexadecimal after `0x`.
function parseNumber(text) {
  if (text === '') return NaN;
  if (/^0x/i.test(text)) return text.length === 2 ? 0 : /^0x[0-9a-f]+$/i.test(text) ? Number.parseInt(text.slice(2), 16) : NaN;
  if (text.length > 1 && text[0] === '0') return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : NaN;
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

// The last number fills all the bytes that the others left.
function parseIPv4(domain) {
  const parts = domain.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  if (parts.length > 4) return null;
  const numbers = parts.map(parseNumber);
  const last = numbers.pop();
  if (Number.isNaN(last) || numbers.some((number) => !(number <= 255))) return null;
  if (last >= 256 ** (4 - numbers.length)) return null;
  const address = numbers.reduce((sum, number, i) => sum + number * 256 ** (3 - i), last);
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

// Eight 16-bit pieces. One `::` stands for as many zeros as are missing, and the last two pieces may
// be written as an IPv4 address.
function parseIPv6(text) {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const compressed = halves.length === 2;
  const lists = halves.map((half, i) => {
    if (half === '') return compressed ? [] : null;
    return parsePieces(half.split(':'), i === halves.length - 1);
  });
  if (lists.includes(null)) return null;
  const [head, tail = []] = lists;
  const missing = 8 - head.length - tail.length;
  if (compressed ? missing < 1 : missing !== 0) return null;
  return [...head, ...Array(missing).fill(0), ...tail];
}

function parsePieces(parts, mayEndInIPv4) {
  const pieces = [];
  for (let i = 0; i < parts.length; i++) {
    if (/^[0-9a-f]{1,4}$/i.test(parts[i])) {
      pieces.push(Number.parseInt(parts[i], 16));
    } else {
      const bytes = mayEndInIPv4 && i === parts.length - 1 ? embeddedIPv4(parts[i]) : null;
      if (bytes === null) return null;
      pieces.push(bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]);
    }
  }
  return pieces;
}

function embeddedIPv4(text) {
  const parts = text.split('.');
  const valid = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && part <= 255);
  return valid ? parts.map(Number) : null;
}

// The first longest run of zeros, of at least two, is written `::`.
function serializeIPv6(pieces) {
  let longest = { at: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && pieces[end] === 0) end++;
    if (end - i > longest.length) longest = { at: i, length: end - i };
  }
  const hex = (list) => list.map((piece) => piece.toString(16)).join(':');
  if (longest.at === -1) return hex(pieces);
  return `${hex(pieces.slice(0, longest.at))}::${hex(pieces.slice(longest.at + longest.length))}`;
}

module.exports = { parseHost };
