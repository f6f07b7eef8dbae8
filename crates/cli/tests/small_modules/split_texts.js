// Texts of some length are split at regular expressions as short ones are; changes to expressions count.
'use strict';
const text = 'aaab, bb\r\nabca,c\n  b\n\nabba, aab'.repeat(3);
const patterns = [
  /\r?\n/, /a*/, /(a)|b/, /(?:)/, /,\s*/, /$/m, /^/m, /(?=b)/, /(?<=a)/, /(A+)(b)?/i, /b|$/g, /x/, /a/y, /(?<one>c)/u, /[\s--\n]/v, /a/gimsd,
];
for (const pattern of patterns) {
  pattern.lastIndex = 3;
  console.log(String(pattern), JSON.stringify(text.split(pattern)), JSON.stringify(text.split(pattern, 3)), pattern.lastIndex);
}
const split = RegExp.prototype[Symbol.split];
console.log(split.name, split.length, Object.getOwnPropertyDescriptor(RegExp.prototype, Symbol.split), 'prototype' in split);
for (const wrong of [null, undefined, 1, 'x']) {
  try { console.log(split.call(wrong, text)); } catch (error) { console.log(error.name); }
}
const own = /a/;
own.exec = () => null;
console.log(text.split(own).length);
class Counted extends RegExp {
  exec(string) { Counted.calls++; return super.exec(string); }
}
Counted.calls = 0;
console.log(text.split(new Counted('b')).length, Counted.calls);
const { exec } = RegExp.prototype;
let calls = 0;
RegExp.prototype.exec = function(string) { calls++; return Reflect.apply(exec, this, [string]); };
const parts = text.split(/c/).length;
RegExp.prototype.exec = exec;
console.log(parts, calls);
const long = 'one line of it\n'.repeat(100_000);
const start = performance.now();
console.log(long.split(/\r?\n/).length, performance.now() - start < 10_000);
