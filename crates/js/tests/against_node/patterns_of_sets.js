// Regular expressions with the flag `v`: letters that mean something within sets, outside of them.
const patterns = [/a-b/v, /^[\w\-]+-[\p{L}--[a-z]]+$/v, /::|;;|==|~~/v, /x&&y|!!|##|%%|,,|<<|>>|@@|``/gv, /(?<=-)a(?!-)(?<dash>-)/dv, /[[a-c]&&[b-d]]-/iv, /\//v, /[\-\/]/v];
for (const pattern of patterns) {
  console.log(pattern, pattern.source, String(pattern), pattern.flags, structuredClone(pattern), new RegExp(pattern).source, new RegExp(pattern, 'v').source);
}
for (const text of ['a-b', 'A_1-Ä', '::', 'x&&y', '--a-', 'B-', 'c-', 'a/b']) console.log(text, patterns.map((pattern) => pattern.test(text)));
console.log('a-b-c'.split(/-/v), 'a--b'.replaceAll(/--/gv, '=='), [...'1-2::3'.matchAll(/-|::/gv)].map(({ index }) => index));

const made = (pattern) => new RegExp(pattern, 'v');
for (const pattern of ['^(?:[0-9]{3}-[0-9]{4})$', 'a/b', '::', '[a-z]/[\\/]', 'ä-\u{1f600}', '[a-', '-[(]', /a-b/v, undefined, 1 - 2]) {
  try {
    const found = made(pattern);
    console.log(found, found.source, found.test('123-4567'), RegExp(pattern, 'gv').toString());
  } catch (error) {
    console.log(error.name, error.message);
  }
}
function written() {
  return [/a-b::c/v, new RegExp('-', 'v') /* both */];
}
console.log(String(written), written());
class Own extends RegExp {}
console.log(new Own(/-/v).source, Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get.name, RegExp.prototype.source);
try {
  Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get.call({});
} catch (error) {
  console.log(error.message);
}
