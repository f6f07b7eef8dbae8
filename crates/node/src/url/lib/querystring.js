// node:querystring, the form encoding that came before URLSearchParams.
'use strict';

const { encodeStr } = require('internal/querystring');

const UNESCAPED = /^[\w\-.!~*'()]*$/;
const PLAIN = /[\w\-.!~*'()]/;
const ENCODED_BYTE = /%[0-9A-Fa-f]{2}/;

function qsEscape(str) {
  if (typeof str !== 'string') str = typeof str === 'object' ? String(str) : `${str}`;
  if (UNESCAPED.test(str)) return str;
  return encodeStr(str, PLAIN);
}

// Decodes what it can, byte by byte, and keeps the rest as it is.
function unescapeBuffer(s, decodeSpaces) {
  const { Buffer } = require('buffer');
  const out = Buffer.allocUnsafe(s.length);
  let length = 0;
  for (let i = 0; i < s.length; i++) {
    let byte = s.charCodeAt(i);
    if (byte === 0x2b && decodeSpaces) {
      byte = 0x20;
    } else if (byte === 0x25 && ENCODED_BYTE.test(s.slice(i, i + 3))) {
      byte = Number.parseInt(s.slice(i + 1, i + 3), 16);
      i += 2;
    }
    out[length++] = byte;
  }
  return length === out.length ? out : out.slice(0, length);
}

function qsUnescape(s, decodeSpaces) {
  try {
    return decodeURIComponent(s);
  } catch {
    return module.exports.unescapeBuffer(s, decodeSpaces).toString();
  }
}

function stringifyPrimitive(value) {
  switch (typeof value) {
    case 'string': return value;
    case 'number': return Number.isFinite(value) ? `${value}` : '';
    case 'bigint': return `${value}`;
    case 'boolean': return value ? 'true' : 'false';
    default: return '';
  }
}

// Only strings, and numbers so large that they are written with a plus sign, need escaping.
function encodeOwn(value) {
  const text = stringifyPrimitive(value);
  return typeof value === 'string' || (typeof value === 'number' && Math.abs(value) >= 1e21) ? qsEscape(text) : text;
}

function stringify(obj, sep, eq, options) {
  sep ||= '&';
  eq ||= '=';
  let encode = module.exports.escape;
  if (options && typeof options.encodeURIComponent === 'function') encode = options.encodeURIComponent;
  const convert = encode === qsEscape ? encodeOwn : (value) => encode(stringifyPrimitive(value));
  if (obj === null || typeof obj !== 'object') return '';
  let fields = '';
  for (const key of Object.keys(obj)) {
    const value = obj[key];
    const start = `${convert(key)}${eq}`;
    if (!Array.isArray(value)) {
      fields += `${fields && sep}${start}${convert(value)}`;
      continue;
    }
    if (value.length > 0 && fields) fields += sep;
    for (let i = 0; i < value.length; i++) fields += `${i ? sep : ''}${start}${convert(value[i])}`;
  }
  return fields;
}

function decodeWith(decode, text) {
  try {
    return decode(text);
  } catch {
    return module.exports.unescape(text, true);
  }
}

function parse(qs, sep, eq, options) {
  const obj = { __proto__: null };
  if (typeof qs !== 'string' || qs.length === 0) return obj;
  sep = sep ? `${sep}` : '&';
  eq = eq ? `${eq}` : '=';
  let left = 1000;
  if (options && typeof options.maxKeys === 'number') left = options.maxKeys > 0 ? options.maxKeys : -1;
  let decode = module.exports.unescape;
  if (options && typeof options.decodeURIComponent === 'function') decode = options.decodeURIComponent;
  const custom = decode !== qsUnescape;

  const finish = (text, encoded) => {
    const spaced = text.replaceAll('+', custom ? '%20' : ' ');
    return spaced.length > 0 && encoded ? decodeWith(decode, spaced) : spaced;
  };
  const add = (key, value) => {
    const present = obj[key];
    if (present === undefined) obj[key] = value;
    else if (present.pop) present[present.length] = value;
    else obj[key] = [present, value];
  };

  // One pass without going back: of `aab` the separator `ab` is not found, a character that could
  // have begun a separator does not count towards a percent-encoded byte, and a second encoded
  // byte of the key also has the value decoded, and there a plus sign between the two digits of a
  // byte goes unnoticed. All of this shows only in odd input.
  let start = 0;
  let keyEnd = -1;
  let valueStart = 0;
  let sepSeen = 0;
  let eqSeen = 0;
  let percentSeen = 0;
  let keyEncoded = custom;
  let valueEncoded = custom;
  const finishPair = (end) => {
    if (keyEnd >= 0) {
      add(finish(qs.slice(start, keyEnd), keyEncoded), finish(qs.slice(valueStart, Math.max(end, valueStart)), valueEncoded));
    } else if (end > start) {
      add(finish(qs.slice(start, end), keyEncoded), '');
    }
  };
  for (let i = 0; i < qs.length; i++) {
    if (qs[i] === sep[sepSeen]) {
      if (++sepSeen < sep.length) continue;
      finishPair(i - sepSeen + 1);
      if (--left === 0) return obj;
      start = i + 1;
      keyEnd = -1;
      sepSeen = eqSeen = percentSeen = 0;
      keyEncoded = valueEncoded = custom;
      continue;
    }
    sepSeen = 0;
    if (keyEnd < 0) {
      if (qs[i] === eq[eqSeen]) {
        if (++eqSeen < eq.length) continue;
        keyEnd = i - eqSeen + 1;
        valueStart = i + 1;
        percentSeen = 0;
        continue;
      }
      eqSeen = 0;
    }
    if (qs[i] === '%') {
      percentSeen = 1;
    } else if (percentSeen > 0 && (qs[i] !== '+' || (keyEnd < 0 && !keyEncoded))) {
      percentSeen = /[0-9A-Fa-f]/.test(qs[i]) ? percentSeen + 1 : 0;
      if (percentSeen === 3 && keyEnd < 0 && !keyEncoded) keyEncoded = true;
      else if (percentSeen === 3) valueEncoded = true;
    }
  }
  finishPair(qs.length);
  return obj;
}

module.exports = { unescapeBuffer, unescape: qsUnescape, escape: qsEscape, stringify, encode: stringify, parse, decode: parse };
