// Local time: fields, setters, the constructor, the texts, in zones that change under the program.
'use strict';
const { below, pick, between, zones, attempt } = require('./random.cjs');

const lines = [];
const getters = ['getFullYear', 'getMonth', 'getDate', 'getDay', 'getHours', 'getMinutes', 'getSeconds', 'getMilliseconds', 'getTimezoneOffset', 'getYear'];
const setters = { setFullYear: 3, setMonth: 2, setDate: 1, setHours: 4, setMinutes: 3, setSeconds: 2, setMilliseconds: 1, setYear: 1 };
const show = (date) => getters.map((name) => date[name]()).join() + ' ' + date.toString();

function instant() {
  switch (below(12)) {
    // Zones far in the past and far in the future, and what is out of range.
    case 0: return between(-8.64e15, 8.64e15);
    case 1: return pick([NaN, 8.64e15, 0, -0, -1, 8.64e15 + 1]);
    case 2: return between(Date.UTC(1850, 0), Date.UTC(1970, 0));
    default: return between(0, Date.UTC(2025, 0));
  }
}

for (let round = 0; round < 250; round++) {
  process.env.TZ = pick(zones);
  // Where databases differ: see README.md.
  const since = process.env.TZ === 'Africa/Monrovia' ? 0 : -Infinity;
  for (let turn = 0; turn < 20; turn++) {
    let time = instant();
    if (time < since) time = -time;
    const date = new Date(time);
    const [name, count] = pick(Object.entries(setters));
    const args = Array.from({ length: 1 + below(count) }, () => pick([below(60), -below(60), below(3000), 1.7, below(24)]));
    if (name === 'setFullYear' || name === 'setYear') args[0] = pick([1971 + below(50), below(100), 2000]);
    lines.push(`${process.env.TZ} ${time} ${show(date)}`);
    lines.push(attempt(() => `  ${date.toUTCString()} ${date.toISOString()} ${date.toJSON()} ${date.getUTCDay()} ${date.setUTCHours(30, -5)}`));
    lines.push(`  ${name} ${args} ${date[name](...args)} ${date.toDateString()}`);
  }
  const parts = [pick([1971 + below(53), below(100), 1900 + below(120)]), below(14) - 1, below(33), below(26), below(61), below(60), below(1001)];
  lines.push(`${process.env.TZ} new ${parts} ${new Date(...parts).getTime()} ${new Date(...parts.slice(0, 2 + below(5))).getTime()}`);
}

// Every hour around the changes of a year, as an instant and as a local time.
for (const zone of zones) {
  process.env.TZ = zone;
  const start = Date.UTC(2018, 0);
  for (let hour = 0, offset; hour < 8766; hour += 2) {
    const now = new Date(start + hour * 3600000).getTimezoneOffset();
    if (offset !== undefined && now !== offset) {
      for (let minute = -180; minute < 180; minute += 15) {
        const time = start + hour * 3600000 + minute * 60000;
        const local = new Date(time - now * 60000);
        const back = new Date(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), local.getUTCHours(), local.getUTCMinutes());
        lines.push(`${zone} ${time} ${new Date(time)} ${back.getTime()} ${Date.parse(local.toISOString().slice(0, -1))}`);
      }
    }
    offset = now;
  }
}

for (const method of [...getters, ...Object.keys(setters), 'toString', 'toDateString', 'toLocaleString', 'getTime']) {
  lines.push(method, Date.prototype[method].length, Date.prototype[method].name);
  for (const value of [{}, 1, undefined, 'x']) if (method !== 'getTime') lines.push(attempt(() => Date.prototype[method].call(value)));
  lines.push(attempt(() => new Date(NaN)[method](2000)));
}
for (const TZ of [':Europe/Paris', 'Nowhere/Land', '', 'europe/paris', 'US/Eastern', 'Etc/GMT+5', 'EST5EDT', 'Etc/UTC', 'UCT', 'Zulu', 'GMT', 'Etc/GMT', 'Greenwich', 'utc']) {
  process.env.TZ = TZ;
  lines.push(`${TZ} ${new Date(1e12)}`);
}
process.env.TZ = 'Europe/Paris';
for (const args of [[], [2020], [2020, 1], [NaN, 1], ['2020', '3', '7'], [new Date(5)], [{ valueOf: () => 7 }], [null], [undefined], [true],
  [2020, 0, 1, 0, 0, 0, 0, 99], [99, 0], [-1, 0], [1e9, 0], [2020, Infinity], [275760, 8, 13], [{ toString: () => '2020-01-01' }], [8.64e15 + 1], [1.9], [-1.9]]) {
  if (args.length > 0) lines.push(String(attempt(() => new Date(...args).getTime())));
}
lines.push(attempt(() => new Date({ [Symbol.toPrimitive]: () => ({}) })));
process.env.TZ = 'America/New_York';
lines.push(typeof Date(), Date.length, Date.name, Object.getOwnPropertyNames(Date).sort().join(), Object.getOwnPropertyNames(Date.prototype).sort().join());
class Sub extends Date {}
lines.push(new Sub(2020, 1).getMonth(), new Sub(5) instanceof Date, Object.prototype.toString.call(new Sub()));
console.log(lines.join('\n'));
