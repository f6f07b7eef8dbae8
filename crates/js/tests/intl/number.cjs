// Intl.NumberFormat, PluralRules, RelativeTimeFormat, ListFormat and Collator.
'use strict';
const { below, pick, between, attempt } = require('./random.cjs');

const lines = [];
function number() {
  const sign = below(4) === 0 ? -1 : 1;
  switch (below(8)) {
    case 0: return pick([0, -0, 1, -1, NaN, Infinity, -Infinity, 0.5, 1.5, 2.5, 1.005, 1e21, 1e-7, 123456789012345680000, 5e-324, 999.9995, 0.1 + 0.2]);
    case 1: return sign * between(0, 1e15);
    case 2: return sign * below(100);
    case 3: return sign * below(10000) / 100;
    case 4: return sign * below(100000) / 8;
    default: return sign * below(1e9) / 10 ** below(12);
  }
}
function options() {
  const all = {};
  const style = below(6);
  if (style === 0) all.style = 'percent';
  if (style === 1) {
    all.style = 'currency';
    all.currency = pick(['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'KWD', 'INR', 'SEK', 'XXA', 'cad']);
    if (below(2) === 0) all.currencyDisplay = pick(['code', 'symbol', 'narrowSymbol', 'name']);
    if (below(4) === 0) all.currencySign = 'accounting';
  }
  if (style === 2) {
    all.style = 'unit';
    all.unit = pick(['kilometer', 'byte', 'megabyte', 'celsius', 'percent', 'hour', 'kilometer-per-hour', 'foot', 'day', 'liter']);
    all.unitDisplay = pick(['short', 'long', 'narrow']);
  }
  if (below(4) === 0) {
    all.notation = pick(['compact', 'scientific', 'engineering', 'standard']);
    if (all.notation === 'compact') all.compactDisplay = pick(['short', 'long']);
  }
  if (below(3) === 0) all.minimumFractionDigits = below(4);
  if (below(3) === 0) all.maximumFractionDigits = (all.minimumFractionDigits ?? 0) + below(5);
  if (below(6) === 0) all.minimumIntegerDigits = 1 + below(4);
  if (below(6) === 0) all.maximumSignificantDigits = 1 + below(6);
  if (below(8) === 0) all.minimumSignificantDigits = 1 + below(all.maximumSignificantDigits ?? 4);
  if (below(4) === 0) all.useGrouping = pick([true, false, 'min2', 'always', 'auto']);
  if (below(4) === 0) all.signDisplay = pick(['auto', all.currencySign === undefined ? 'never' : 'auto', 'always', 'exceptZero', 'negative']);
  if (below(5) === 0) all.roundingMode = pick(['ceil', 'floor', 'expand', 'trunc', 'halfCeil', 'halfFloor', 'halfExpand', 'halfTrunc', 'halfEven']);
  if (below(8) === 0 && all.notation !== 'compact') all.trailingZeroDisplay = 'stripIfInteger';
  return all;
}
for (let round = 0; round < 4000; round++) {
  const wanted = options();
  const locale = pick(['en-US', 'en-US', 'en-GB', 'en']);
  const format = attempt(() => new Intl.NumberFormat(locale, wanted));
  if (typeof format === 'string') {
    lines.push(`${JSON.stringify(wanted)} ${format}`);
    continue;
  }
  if (round % 4 === 0) lines.push(JSON.stringify(format.resolvedOptions()));
  for (let turn = 0; turn < 3; turn++) {
    const value = number();
    lines.push(`${locale} ${JSON.stringify(wanted)} ${value} ${turn === 0 ? JSON.stringify(format.formatToParts(value)) : JSON.stringify(format.format(value))}`);
  }
}
for (const wanted of [
  { style: 'currency' }, { style: 'currency', currency: 'x' }, { style: 'x' }, { minimumFractionDigits: 3, maximumFractionDigits: 2 }, { minimumFractionDigits: 21 }, { maximumFractionDigits: -1 },
  { style: 'unit' }, { style: 'unit', unit: 'foo' }, { notation: 'x' }, { useGrouping: 'x' }, { roundingIncrement: 3 }, { minimumIntegerDigits: 0 }, { maximumSignificantDigits: 0 }, { signDisplay: 'x' }, null,
]) lines.push(`${JSON.stringify(wanted)} ${attempt(() => Intl.NumberFormat('en', wanted).format(1234.5))}`);
for (const increment of [5, 25, 500]) for (const value of [1.22, 1.225, 1.2251, 7.5, 1234.56]) {
  lines.push(new Intl.NumberFormat('en', { roundingIncrement: increment, maximumFractionDigits: 2, minimumFractionDigits: 2 }).format(value));
}
for (const value of [12345678901234567890n, '123456789012345678901234.56789', ' 12 ', 'x', '', '1e3', '-0', null, undefined, true, [1234.5], { valueOf: () => 5 }, new Date(5)]) {
  lines.push(attempt(() => Intl.NumberFormat('en').format(value)));
}
lines.push((1234567.891).toLocaleString(), (5n ** 30n).toLocaleString(), (0.256).toLocaleString('en-US', { style: 'percent' }), [1234.5, 1e6].toLocaleString(), new Float64Array([1234.5, 2]).toLocaleString());
lines.push(Number.prototype.toLocaleString.length, BigInt.prototype.toLocaleString.length, attempt(() => Intl.NumberFormat().format(Symbol())));
const range = Intl.NumberFormat('en');
lines.push(range.formatRange(1, 5), range.formatRange(1, 1), attempt(() => range.formatRange(NaN, 1)), JSON.stringify(Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).formatRangeToParts(1, 5)));

for (const style of ['long', 'short', 'narrow']) {
  for (const numeric of ['always', 'auto']) {
    const format = new Intl.RelativeTimeFormat('en', { style, numeric });
    for (const unit of ['year', 'quarters', 'month', 'weeks', 'day', 'hours', 'minute', 'second']) {
      for (const value of [-1234.5, -2, -1, -0, 0, 1, 2, 10, 1e6]) lines.push(JSON.stringify(format.formatToParts(value, unit)));
    }
    lines.push(JSON.stringify(format.resolvedOptions()), attempt(() => format.format(1, 'x')), attempt(() => format.format(NaN, 'day')));
  }
  for (const type of ['conjunction', 'disjunction', 'unit']) {
    for (const locale of ['en', 'en-GB']) {
      const format = new Intl.ListFormat(locale, { type, style });
      for (const list of [[], ['a'], ['a', 'b'], ['a', 'b', 'c'], 'abcd']) lines.push(JSON.stringify(format.formatToParts(list)));
      lines.push(JSON.stringify(format.resolvedOptions()), attempt(() => format.format([1])));
    }
  }
}
for (const type of ['cardinal', 'ordinal']) {
  const rules = new Intl.PluralRules('en', { type });
  for (let value = 0; value < 130; value++) lines.push(`${value} ${rules.select(value)} ${rules.select(-value)} ${rules.select(value / 10)}`);
  lines.push(JSON.stringify(rules.resolvedOptions()), rules.select(NaN), rules.select('1'), new Intl.PluralRules('en', { type, minimumFractionDigits: 1 }).select(1));
}
const words = ['a', 'A', 'b', 'B', 'á', 'ä', 'z', 'Z', 'aa', 'Ab', 'ab', '_', '1', '10', '2', ' ', '-', 'é', 'e', 'É', 'résumé', 'resume', 'Resume', 'ss', 'co-op', 'coop', 'CO-OP', 'ñ', 'n', 'o', '!', '$', '~', 'a b', 'ab c', 'a-b'];
for (const wanted of [undefined, { numeric: true }, { sensitivity: 'base' }, { sensitivity: 'accent' }, { sensitivity: 'case' }, { caseFirst: 'upper' }]) {
  const collator = new Intl.Collator('en', wanted);
  for (let round = 0; round < 300; round++) {
    const [left, right] = [pick(words) + pick(words), pick(words) + pick(words)];
    lines.push(`${JSON.stringify(wanted)} ${left} ${right} ${Math.sign(collator.compare(left, right))}`);
  }
  lines.push(JSON.stringify(collator.resolvedOptions()), words.slice().sort(collator.compare).join());
}
for (const name of ['Collator', 'PluralRules', 'ListFormat', 'RelativeTimeFormat', 'NumberFormat']) {
  lines.push(`${name} ${attempt(() => Intl[name]() && 'made')} ${Intl[name].length} ${Object.getOwnPropertyNames(Intl[name].prototype).join()} ${Object.prototype.toString.call(new Intl[name]())}`);
}
console.log(lines.join('\n'));
