// Addresses of the internet as text.
'use strict';

const v4Part = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]\\d|\\d)';
const v4 = `(?:${v4Part}\\.){3}${v4Part}`;
const IPV4 = new RegExp(`^${v4}$`);
const ENDS_IN_V4 = new RegExp(`:(${v4})$`);

function isIPv4(text) {
  return IPV4.test(`${text}`);
}

/// Eight groups, the longest run of zeros left out at most once; the last two may be an IPv4 address.
function isIPv6(text) {
  text = `${text}`;
  const zone = text.indexOf('%');
  if (zone >= 0) {
    if (!/^[0-9a-zA-Z\-.:]+$/.test(text.slice(zone + 1))) return false;
    text = text.slice(0, zone);
  }
  if (text.length < 2 || text.length > 45) return false;
  const mapped = ENDS_IN_V4.exec(text);
  if (mapped !== null) text = `${text.slice(0, text.length - mapped[1].length)}0:0`;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const half of halves) {
    if (half === '') {
      if (halves.length === 1) return false;
      continue;
    }
    for (const group of half.split(':')) {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return false;
      groups++;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

function isIP(text) {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

module.exports = { isIP, isIPv4, isIPv6 };
