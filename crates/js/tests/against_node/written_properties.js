// What V8 says of properties that cannot be written: it names the object, as far as a variable has it.
'use strict';
const text = 'abc';
const number = 5;
const list = Object.freeze([1, { a: 1 }]);
class Reading {
  get x() { return 1; }
  static get z() { return 1; }
}
const reading = new Reading();
const frozen = Object.freeze({ a: 1, list });
const key = 'k';
const symbol = Symbol('mark');
const tell = (write) => {
  try {
    write();
    console.log('nothing');
  } catch ({ message }) {
    console.log(message);
  }
};
[
  () => { text.foo = 1; }, () => { text.length = 1; }, () => { text[0] = 'x'; }, () => { text[7] = 'x'; }, () => { number.x = 1; }, () => { symbol.x = 1; },
  () => { (5).x = 1; }, () => { text[key] = 1; }, () => { list[0] = 2; }, () => { list[5] = 2; }, () => { list.length = 0; }, () => { list.x = 1; },
  () => { frozen.list[0] = 2; }, () => { frozen.list.length = 0; }, () => { reading.x = 1; }, () => { Reading.z = 1; }, () => { frozen.a = 1; },
  () => { frozen.b = 1; }, () => { frozen[key] = 1; }, () => { frozen[symbol] = 1; }, () => { frozen.a += 1; }, () => { [frozen.a] = [1]; },
  function () { this.x = 1; }.bind('text'), function () { this.a = 1; }.bind(frozen), function () { this.x = 1; }.bind(reading),
  () => { Reading.name = 'x'; }, () => { tell.name = 'x'; }, () => { const map = Object.freeze(new Map()); map.x = 1; },
  () => { const bare = Object.create(null, { v: { value: 1 } }); bare.v = 2; }, () => Object.assign(frozen, { a: 2 }), () => Object.assign(frozen, { n: 2 }),
  () => Object.assign('abc', { 0: 2 }),
].forEach(tell);

// Texts of one name keep their own words.
const { Script, compileFunction } = require('vm');
for (const code of ['o.f()', 'o[1]()', 'o.g.h', 'const [a] = o']) {
  tell(() => new Script(`var o = {}; ${code}`.replace('const', 'var')).runInThisContext());
  tell(compileFunction(`var o = {}; ${code}`));
}
