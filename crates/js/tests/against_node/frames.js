// Where frames are that call what has no name in the text, or another, and what functions are called that were assigned.
class Getting {
  get outer() {
    const one = 1;
    return this.inner + one;
  }
  get inner() { throw new Error('inner'); }
  set outer(value) {
    this.inner = value;
  }
  set inner(value) { null.x; }
  valueOf() { return this.inner; }
  static get made() {
    const getting = new Getting();
    return getting.outer;
  }
}
const getting = new Getting();
const alias = { deepEqual: function tapeDeepEqual() { throw new Error('alias'); } };
exports.parse = function () { throw new Error('parse'); };
exports.arrow = () => exports.parse();
module.exports.later = async () => { await null; exports.arrow(); };
const nested = { deep: {} };
nested.deep.call = () => exports.arrow();
function Old() {}
Old.prototype.method = function () { nested.deep.call(); };

function tell({ stack }) {
  console.log(stack.split('\n').filter((line) => !/node:|Array\.|valueOf/.test(line)).map((line) => line.replace(__dirname, '').trim()).join('\n'));
}
const calls = {
  get: () => getting.outer,
  set: () => { getting.outer = 1; },
  plus: () => +getting,
  made: () => Getting.made,
  take: () => { const { outer } = getting; },
  less: () => getting < 1,
  maybe: () => getting?.outer,
  element: () => [getting.outer],
  test: () => { if (getting.outer) return; },
  alias: () => alias.deepEqual({ a: Math.max(1, 2) }, { a: 4 }),
  method: () => new Old().method(),
  assigned: () => exports.arrow(),
};
for (const name of Object.keys(calls)) {
  try {
    calls[name]();
  } catch (error) {
    tell(error);
  }
}
exports.later().catch(tell);

// Text that a hook of require has made has its own source map.
process.setSourceMapsEnabled(true);
const map = { version: 3, sources: ['/made/from.ts'], names: [], mappings: 'AAAA;AACA;AAEA', sourcesContent: ['one\ntwo\nthree\nfour'] };
const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
require.extensions['.txt'] = (made, filename) => made._compile(`var a;\nvar b;\nthrow new Error("mapped");\n//# sourceMappingURL=${url}`, filename);
try {
  require('./ends.txt');
} catch (error) {
  tell(error);
}
