// Every zone: offsets and names at random instants, and what Date shows there.
'use strict';
const { below, pick, between, attempt } = require('./random.cjs');

// Where the database of Node is older than ours, or has more of the time before 1970: see README.md.
const zones = Intl.supportedValuesOf('timeZone');
const lines = [zones.join()];
for (const timeZone of zones) {
  process.env.TZ = timeZone;
  const times = Array.from({ length: 24 }, () => between(0, Date.UTC(2025, 6)));
  for (const style of ['long', 'short', 'longOffset', 'shortOffset']) {
    for (const locale of style === 'short' ? ['en-US', 'en-GB'] : ['en-US']) {
      const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: style, dateStyle: undefined, hour: 'numeric', minute: 'numeric' });
      for (let turn = 0; turn < 6; turn++) {
        const time = pick(times);
        lines.push(`${timeZone} ${locale} ${style} ${time} ${format.format(time)}`);
      }
    }
  }
  for (const style of ['longGeneric', 'shortGeneric']) {
    const time = Date.UTC(2024, 0, 15);
    lines.push(`${timeZone} ${style} ${new Intl.DateTimeFormat('en', { timeZone, timeZoneName: style }).format(time)}`);
  }
  for (const time of times.slice(0, 8)) lines.push(`${timeZone} ${time} ${new Date(time)}`);
}
for (const timeZone of ['GMT', 'utc', 'Etc/GMT', 'etc/utc', 'Etc/GMT+5', 'UCT', 'Zulu', 'GMT0', 'EST5EDT', 'CET', 'HST', 'US/Pacific', 'europe/kyiv', 'America/Nuuk', 'asia/kolkata', 'ASIA/SAIGON', 'Factory', 'Etc/Unknown']) {
  const all = (timeZoneName) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName }).format(1e12);
  lines.push(attempt(() => [timeZone, Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone, all('long'), all('short'), all('longOffset'), all('shortOffset'), all('longGeneric'), all('shortGeneric')].join()));
}
for (let round = 0; round < 500; round++) {
  const timeZone = pick(['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Europe/Lisbon', 'Australia/Sydney']);
  const time = below(2) === 0 ? between(Date.UTC(1850, 0), 0) : between(-8.64e15, 8.64e15);
  lines.push(`${timeZone} ${time} ${new Intl.DateTimeFormat('en', { timeZone, timeZoneName: pick(['long', 'short']) }).format(time)}`);
}
console.log(lines.join('\n'));
