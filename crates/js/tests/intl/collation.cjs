// In which order texts stand, in many languages and with all options.
'use strict';

const { attempt, below, pick } = require('./random.cjs');

const show = (make) => attempt(() => JSON.stringify(make()));

// Characters whose places have not changed for long.
const ALPHABETS = [
  'abcxyzABCXYZ', ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$', '0123456789', 'àáâãäåæçèéêëìíîïñòóôõöøùúûüýþÿßÀÄÅÖØÜ', 'āăąćčďđēęěğıłńňőœřśşšťůűźžĐŁŒ',
  '\u0300\u0301\u0303\u0308\u030a\u0323\u0327\u031b', 'αβγδωΑΩάώ', 'абвгяёйЖЯЁ', 'אבגדת', 'ابتثي', 'กขเแไะา', 'あいうアイウがガっッー', '가나다\u1100\u1161\uac01', '一丁七万中国日本',
  '\u212b\u2126\ufb01\u00a0\u00ad\u200b\u2014\u2026', '\ud83d\ude00\ud835\udd04\ud800\udc01', 'chllijnjdžrzsz',
];
const text = () => {
  const alphabets = [pick(ALPHABETS), pick(ALPHABETS)];
  return Array.from({ length: below(6) }, () => {
    return pick([...pick(alphabets)]);
  }).join('');
};
// Most pairs have much in common.
const pair = () => {
  const left = text();
  const kind = below(5);
  if (kind === 0) return [left, text()];
  if (kind === 1) return [left, left.toUpperCase()];
  if (kind === 2) return [left, left.normalize(pick(['NFD', 'NFC', 'NFKD']))];
  const at = below(left.length + 1);
  return [left, left.slice(0, at) + pick([...pick(ALPHABETS)]) + left.slice(at + (kind === 3 ? 1 : 0))];
};

const LANGUAGES = [
  undefined, 'en', 'en-US', 'en-GB', 'de', 'de-AT', 'de-CH', 'sv', 'sv-SE', 'fi', 'da', 'nb', 'no', 'nn-NO', 'is', 'es', 'es-419', 'fr', 'fr-CA', 'it', 'pt-BR',
  'cs', 'sk', 'pl', 'hu', 'hr', 'sl', 'sr', 'sr-Latn', 'lt', 'lv', 'et', 'tr', 'az', 'ro', 'el', 'ru', 'uk', 'bg', 'he', 'iw', 'ar', 'th', 'vi', 'ko', 'cy', 'mt',
  'tlh', 'xx-YY', 'de-u-co-phonebk', 'es-u-co-trad', 'en-u-kn', 'en-u-kn-false', 'da-u-kf-lower', 'de-u-kf-upper-kn-true', 'de-u-co-pinyin', 'zh-Hans-CN', 'ja-JP', ['tlh', 'sv'],
];
const OPTIONS = {
  usage: ['sort', 'search'], sensitivity: ['base', 'accent', 'case', 'variant'], numeric: [true, false], caseFirst: ['upper', 'lower', 'false'], ignorePunctuation: [true, false],
};
const options = () => {
  const chosen = Object.entries(OPTIONS).filter(() => below(10) < 3).map(([name, values]) => [name, pick(values)]);
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
};

for (const language of LANGUAGES) {
  console.log(String(language), show(() => new Intl.Collator(language).resolvedOptions()), show(() => Intl.Collator.supportedLocalesOf(language)));
  for (let round = 0; round < 60; round++) {
    const chosen = options();
    // What a search takes for equal is told by tables of its own.
    const { usage, ...rest } = chosen ?? {};
    const [left, right] = pair();
    console.log(String(language), show(() => [left, right, chosen, new Intl.Collator(language, rest).compare(left, right), left.localeCompare(right, language, chosen === undefined ? undefined : rest)]));
    if (usage !== undefined) console.log(show(() => new Intl.Collator(language, chosen).resolvedOptions()));
  }
}

for (let round = 0; round < 3000; round++) {
  const [left, right] = pair();
  console.log(show(() => [left, right, left.localeCompare(right), right.localeCompare(left)]));
}
const words = Array.from({ length: 500 }, text);
console.log(show(() => [...words].sort((left, right) => left.localeCompare(right))));
console.log(show(() => [...words].sort(new Intl.Collator('sv', { numeric: true }).compare)));
// A text in pieces, and one of half a character.
let long = '';
for (let at = 0; at < 2000; at++) long += 'ab';
console.log(show(() => [long.localeCompare(`${long}c`), `${long}\ud800`.localeCompare(long), long.localeCompare(long.toUpperCase(), 'en', { sensitivity: 'base' })]));

console.log(show(() => Intl.getCanonicalLocales(['iw', 'in-ID', 'ji', 'mo', 'sh', 'sh-Cyrl', 'tl', 'no', 'sh-BA'])));

// What is no text, and no language.
for (const value of [undefined, null, 1, {}, [], true, Symbol('s'), 1n]) {
  console.log(show(() => 'undefined'.localeCompare(value)), show(() => String.prototype.localeCompare.call(value, 'x')), show(() => 'a'.localeCompare('b', value)), show(() => 'a'.localeCompare('b', 'en', value)));
}
for (const language of ['e', 'en-', 'en_US', 'a-very-wrong-tag', ['en', 5]]) console.log(show(() => 'a'.localeCompare('b', language)), show(() => new Intl.Collator(language)));
for (const [name, value] of [['usage', 'x'], ['sensitivity', ''], ['caseFirst', 'no'], ['collation', 'phonebk'], ['collation', 'search'], ['collation', 'no!'], ['localeMatcher', 'x'], ['numeric', 'x'], ['caseFirst', false]]) {
  console.log(name, show(() => new Intl.Collator('de', { [name]: value }).resolvedOptions()));
}
const { compare } = new Intl.Collator();
console.log(show(() => [compare.name, compare.length, compare('a', 'B'), compare(1, 10), compare(), String.prototype.localeCompare.length, String.prototype.localeCompare.name]));
console.log(show(() => Object.getOwnPropertyDescriptor(String.prototype, 'localeCompare')));
console.log(show(() => Intl.Collator.prototype.resolvedOptions.call({})), show(() => Object.keys(new Intl.Collator().resolvedOptions())));
