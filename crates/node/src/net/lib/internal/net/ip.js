// Which texts are addresses.
'use strict';

const v4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const zone = /^[0-9a-zA-Z.:-]+$/;
const group = /^[0-9a-fA-F]{1,4}$/;

const isIPv4 = (text) => v4.test(text);

// How many groups of 16 bits the part has, or -1 if it is not made of them; the last one of all may be
// written as an address of version 4, which counts for two.
function groups(part, isLast) {
  if (part === '') return 0;
  const pieces = part.split(':');
  let count = pieces.length;
  for (let i = 0; i < pieces.length; i++) {
    if (group.test(pieces[i])) continue;
    if (!isLast || i !== pieces.length - 1 || !isIPv4(pieces[i])) return -1;
    count++;
  }
  return count;
}

function isIPv6(text) {
  text = `${text}`;
  // The longest address has 45 characters before its zone.
  const percent = text.indexOf('%');
  if (percent !== -1) {
    if (!zone.test(text.slice(percent + 1))) return false;
    text = text.slice(0, percent);
  }
  if (text.length < 2 || text.length > 45) return false;
  const gap = text.indexOf('::');
  if (gap === -1) return groups(text, true) === 8;
  const [before, after] = [groups(text.slice(0, gap), false), groups(text.slice(gap + 2), true)];
  return before !== -1 && after !== -1 && before + after <= 7;
}

/// 4, 6, or 0 for what is no address.
function isIP(text) {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

module.exports = { isIP, isIPv4, isIPv6 };
