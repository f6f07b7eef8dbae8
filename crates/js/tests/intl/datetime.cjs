// Intl.DateTimeFormat: random options, and all that is refused.
'use strict';
const { below, pick, between, attempt } = require('./random.cjs');

const lines = [];
const digits = ['numeric', '2-digit'];
const names = ['long', 'short', 'narrow'];
const locales = ['en-US', 'en-US', 'en', 'en-GB', undefined];
const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Europe/Berlin', 'Australia/Lord_Howe'];

// Sets of fields that have a form of their own. The others, like an era with a month alone, ICU glues
// together in ways that nobody asks for.
const dates = [
  'year', 'month', 'day', 'weekday', 'month day', 'year month', 'year month day', 'weekday day', 'weekday month day',
  'weekday year month day', 'era year', 'era year month', 'era year month day', 'era weekday year month day', 'weekday year month', 'era month day',
];
const times = ['hour', 'minute', 'second', 'hour minute', 'minute second', 'hour minute second', 'hour minute second fractionalSecondDigits', 'hour dayPeriod', 'hour minute dayPeriod'];
const widths = {
  year: digits, month: [...digits, ...names], day: digits, weekday: names, era: names, hour: digits, minute: digits, second: digits,
  fractionalSecondDigits: [1, 2, 3], dayPeriod: names,
};

function fields() {
  const options = {};
  const which = below(4);
  const wanted = [which !== 0 ? pick(dates) : '', which !== 1 ? pick(times) : ''].join(' ').trim().split(' ');
  for (const name of wanted) options[name] = pick(widths[name]);
  if (below(4) === 0) options.hour12 = below(2) === 0;
  else if (below(4) === 0) options.hourCycle = pick(['h11', 'h12', 'h23']);
  return options;
}

function styles() {
  const options = {};
  const list = ['full', 'long', 'medium', 'short'];
  if (below(3) !== 0) options.dateStyle = pick(list);
  if (options.dateStyle === undefined || below(2) === 0) options.timeStyle = pick(list);
  if (below(3) === 0) options.hour12 = below(2) === 0;
  return options;
}

for (let round = 0; round < 3500; round++) {
  const locale = pick(locales);
  const options = { ...(below(5) === 0 ? styles() : fields()), timeZone: pick(zones) };
  const format = new Intl.DateTimeFormat(locale, options);
  lines.push(`${locale} ${JSON.stringify(options)}`);
  const { locale: _, ...resolved } = format.resolvedOptions();
  if (round % 4 === 0) lines.push(JSON.stringify(resolved));
  for (let turn = 0; turn < 3; turn++) {
    const time = below(20) === 0 ? between(-8.64e15, 8.64e15) : between(Date.UTC(1950, 0), Date.UTC(2025, 0));
    lines.push(`${time} ${JSON.stringify(turn === 0 ? format.formatToParts(time) : format.format(time))}`);
  }
}

const moment = Date.UTC(2024, 1, 29, 12, 0, 5, 7);
for (const locale of [undefined, 'en-US', 'en-GB', ['en-GB', 'en-US']]) {
  for (const options of [undefined, {}, { timeZone: 'Asia/Tokyo' }, { year: 'numeric' }, { hour: 'numeric' }, { month: 'long', day: 'numeric' }, { hour12: false }, { timeZoneName: 'short', timeZone: 'UTC' }]) {
    for (const method of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) lines.push(JSON.stringify(new Date(moment)[method](locale, options)));
  }
}
for (const options of [
  { timeZone: 'Nowhere' }, { timeZone: '' }, { timeZone: null }, { dateStyle: 'full', hour: 'numeric' }, { timeStyle: 'full', weekday: 'long' }, { dateStyle: 'x' },
  { hour: 'x' }, { month: 'x' }, { fractionalSecondDigits: 4 }, { fractionalSecondDigits: 0 }, { hourCycle: 'z' }, { calendar: '!' }, { localeMatcher: 'x' }, { formatMatcher: 'x' },
  { timeZoneName: 'x' }, { numberingSystem: '!' }, null,
]) lines.push(`${JSON.stringify(options)} ${attempt(() => Intl.DateTimeFormat('en', options).format(0))}`);
for (const locale of ['en-', 'x', null, [5], '', 'en-US-u', 5, 'zz-ZZ', 'EN-us', 'en-US-u-hc-h23', 'en-GB-u-hc-h12']) {
  lines.push(`${JSON.stringify(locale)} ${attempt(() => Intl.DateTimeFormat(locale, { timeZone: 'UTC', hour: 'numeric' }).format(0))}`);
}
const plain = Intl.DateTimeFormat();
lines.push(attempt(() => plain.format(NaN)), attempt(() => plain.format('x')), attempt(() => plain.format(8.64e15 + 1)), attempt(() => plain.formatRange(1)));
lines.push(attempt(() => Intl.DateTimeFormat.prototype.formatToParts.call(1)), attempt(() => Intl.DateTimeFormat.prototype.resolvedOptions.call({})));
lines.push(attempt(() => new Date(0).toLocaleDateString('en', { timeStyle: 'short' })), attempt(() => new Date(0).toLocaleTimeString('en', { dateStyle: 'short' })));
lines.push(JSON.stringify(plain.resolvedOptions()), plain.format === plain.format, plain.format.name, plain.format.length, plain instanceof Intl.DateTimeFormat);
lines.push(Object.prototype.toString.call(plain), Object.prototype.toString.call(Intl), Intl.DateTimeFormat.length, Intl.DateTimeFormat.name);
lines.push(Object.getOwnPropertyNames(Intl.DateTimeFormat.prototype).join(), Object.keys(Intl.DateTimeFormat).join());
lines.push(JSON.stringify([Intl.getCanonicalLocales(['EN-us', 'zh-hant-tw', 'en-u-ca-gregory-x-foo']), Intl.DateTimeFormat.supportedLocalesOf(['en-US', 'xx', 'EN-gb'])]));
lines.push(attempt(() => Intl.supportedValuesOf('x')));

// Ranges.
const shapes = [
  {}, { month: 'short', day: 'numeric' }, { month: 'long', day: 'numeric' }, { month: 'numeric', day: 'numeric' }, { year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: 'long', day: 'numeric' }, { weekday: 'short', year: 'numeric', month: 'numeric', day: 'numeric' }, { year: 'numeric' }, { year: 'numeric', month: 'short' },
  { year: 'numeric', month: 'numeric' }, { month: 'short' }, { day: 'numeric' }, { hour: 'numeric' }, { hour: 'numeric', minute: 'numeric' }, { hour: 'numeric', minute: 'numeric', second: 'numeric' },
  { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' }, { hour: 'numeric', minute: 'numeric', timeZoneName: 'short' }, { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  { month: 'long', day: 'numeric', hour: 'numeric', minute: 'numeric' }, { dateStyle: 'short' }, { dateStyle: 'medium' }, { dateStyle: 'long' }, { timeStyle: 'short' }, { timeStyle: 'medium' },
  { dateStyle: 'medium', timeStyle: 'short' }, { dateStyle: 'full', timeStyle: 'short' }, { weekday: 'short' },
];
for (let round = 0; round < 1500; round++) {
  const locale = pick(['en-US', 'en-GB']);
  const options = { ...pick(shapes), timeZone: pick(zones) };
  const start = between(0, Date.UTC(2024, 0));
  const end = start + pick([0, 1, 1000, 60000, 3600000, 5 * 3600000, 86400000, 31 * 86400000, 366 * 86400000, 4 * 366 * 86400000]);
  const format = Intl.DateTimeFormat(locale, options);
  lines.push(`${locale} ${JSON.stringify(options)} ${start} ${end} ${JSON.stringify(format.formatRange(start, end))}`);
  if (round % 5 === 0) lines.push(JSON.stringify(format.formatRangeToParts(start, end)));
}
console.log(lines.join('\n'));
