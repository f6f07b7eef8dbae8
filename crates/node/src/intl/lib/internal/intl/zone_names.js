// What time zones are called: their canonical names, and their names in English.
'use strict';

const data = require('internal/intl/zone_data');
const { natives } = require('internal/zone');

// When names end: the last minute of the year 9999.
const END = 253402300740000;

let sets;
const readable = (text) => text.replaceAll('~', '\u2019');
const setOf = (number) => readable((sets ??= data.names.split('\n'))[number]).split('|');

// The zone that a name of the database stands for.
exports.canonical = function canonical(name) {
  const at = data.aliases.indexOf(`\n${name}>`);
  return at < 0 ? name : data.aliases.slice(at + name.length + 2, data.aliases.indexOf('\n', at + 1));
};

exports.supported = function supported() {
  return data.zones.trim().split('\n').map((line) => line.slice(0, line.indexOf(';')));
};

// What is known of a zone; undefined when it has no names.
const known = new Map();
function find(name) {
  if (known.has(name)) return known.get(name);
  const at = data.zones.indexOf(`\n${name};`);
  let zone;
  if (at >= 0) {
    const [, shown, generic, periods] = data.zones.slice(at + 1, data.zones.indexOf('\n', at + 1)).split(';');
    zone = { shown, generic: readable(generic).split('|'), periods: periods === '' ? [] : periods.split(' ').map(readPeriod) };
  }
  known.set(name, zone);
  return zone;
}

function readPeriod(text) {
  const [start, names] = text.split(':');
  const byOffset = new Map();
  for (const pair of names === '' ? [] : names.split(',')) {
    const [minutes, number] = pair.split('=');
    byOffset.set(Math.round(Number(minutes) * 60), number);
  }
  return { start: Number(start) * 1000, byOffset };
}

// The name that Date shows for standard or summer time.
exports.longName = function longName(name, isSummer, offset) {
  const zone = find(exports.canonical(name));
  return zone === undefined ? gmt(offset, true) : setOf(zone.shown)[isSummer ? 1 : 0];
};

// "GMT+05:30", or "GMT+5:30" when short.
function gmt(seconds, isLong) {
  const ahead = Math.abs(seconds);
  const two = (number) => String(number).padStart(2, '0');
  const [hour, minute, second] = [Math.trunc(ahead / 3600), Math.trunc(ahead / 60) % 60, ahead % 60];
  let text = `GMT${seconds < 0 ? '-' : '+'}${isLong ? two(hour) : hour}`;
  if (isLong || minute > 0 || second > 0) text += `:${two(minute)}`;
  return second > 0 ? `${text}:${two(second)}` : text;
}

// The name of a formatter's zone at an instant, in one of the styles of Intl.
exports.zoneName = function zoneName({ timeZone, zone: number, locale }, time, style) {
  const offset = natives.offset(number, time);
  const isLong = style.startsWith('long');
  const asOffset = gmt(offset, isLong);
  if (style.endsWith('Offset')) return asOffset;
  const british = locale === 'en-GB' ? 2 : 1;
  const zone = find(timeZone);
  if (style.endsWith('Generic')) {
    const generic = zone?.generic ?? [''];
    return generic[generic.length === 1 || isLong ? 0 : british] || asOffset;
  }
  if (timeZone === 'UTC') return isLong ? 'Coordinated Universal Time' : 'UTC';
  if (time >= END) return asOffset;
  const set = zone?.periods.findLast(({ start }) => start <= time)?.byOffset.get(offset);
  return set === undefined ? asOffset : setOf(set)[isLong ? 0 : british] || asOffset;
};
