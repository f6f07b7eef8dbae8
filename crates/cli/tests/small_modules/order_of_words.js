// What localeCompare and Intl.Collator say of words, and how both are called.
'use strict';
const ascii = [...Array(128).keys()].map((code) => String.fromCharCode(code));
console.log(ascii.filter((sign) => sign.localeCompare('') === 0).map((sign) => sign.charCodeAt()).join());
const shown = ascii.filter((sign) => sign.localeCompare('') !== 0);
console.log(shown.sort((a, b) => a.localeCompare(b)).join('|').replace(/[\t-\r]/g, (sign) => `\\x${sign.charCodeAt()}`));
const latin = [...'ÀÁÄÅÆÇÈÉÐÑÖØÝÞßàáäåæçèéðñöøýþÿĀāĐđĦħıĲĳŀłŁŊŋŒœſŞşŠšŦŧŽž™¼½²µ¡¿«»‘’“”–—…•†§¶£€°±×÷', ...'adhijklnostuz12-'];
console.log(latin.sort((a, b) => a.localeCompare(b)).join(' '));
for (const words of [
  ['b', 'a', 'C', 'B', 'A', 'c'], ['résumé', 'resume', 'Resume', 'resumes', 'Résumé'], ['item10', 'item2', 'Item1'],
  ['co-op', 'coop', 'CO-OP', 'co op'], ['_private', '$scope', 'public', '#hash', '@at', '-flag', '--flag'], ['a\u00a0b', 'a c', 'a b'],
  ['a/b.js', 'a/B.js', 'a.js', 'a-b.js', 'ab.js', 'A.js'], ['e\u0301', 'é', 'e', 'f'], ['a\0', 'a', 'a\u00ad', 'A'],
]) {
  console.log(JSON.stringify(words.toSorted((a, b) => a.localeCompare(b))), JSON.stringify(words.toSorted(new Intl.Collator().compare)));
  console.log(JSON.stringify(words.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' }))));
}
console.log('a'.localeCompare('B'), 'a'.localeCompare('A'), 'A'.localeCompare('a'), 'a'.localeCompare('á', 'en', { sensitivity: 'base' }), 'x'.localeCompare('x'));
console.log('undefined'.localeCompare(), 'null'.localeCompare(null), String.prototype.localeCompare.call(12, 9), '\ud800'.localeCompare('\ud800a'));
const { localeCompare } = String.prototype;
console.log(localeCompare.name, localeCompare.length, Object.getOwnPropertyDescriptor(String.prototype, 'localeCompare'), 'prototype' in localeCompare);
for (const wrong of [() => localeCompare.call(null, 'a'), () => localeCompare.call(undefined, 'a'), () => 'a'.localeCompare('b', 'x_'), () => 'a'.localeCompare('b', 'en', { sensitivity: 'x' })]) {
  try { console.log(wrong()); } catch (error) { console.log(error.name, error.message); }
}
