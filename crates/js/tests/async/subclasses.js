// ECMA-262 27.2.1.5, 27.2.5.4: promises of other classes, and species.
const { same, throws, rejects } = require('./support/check.cjs');

class Sub extends Promise {
  static made = 0;
  constructor(executor) { super(executor); Sub.made++; this.mark = 'sub'; }
}
const sub = new Sub((yes) => yes(1));
same('its kind', sub instanceof Sub && sub instanceof Promise, true);
same('what the constructor adds', sub.mark, 'sub');
same('tag', Object.prototype.toString.call(sub), '[object Promise]');
same('then gives the same kind', sub.then(() => {}) instanceof Sub, true);
same('catch gives the same kind', sub.catch(() => {}) instanceof Sub, true);
same('finally gives the same kind', sub.finally(() => {}) instanceof Sub, true);
same('resolve', Sub.resolve(1) instanceof Sub, true);
same('resolve of its own kind', Sub.resolve(sub), sub);
same('resolve of another kind', Sub.resolve(Promise.resolve()) instanceof Sub, true);
same('reject', Sub.reject(1).catch(() => {}) instanceof Sub, true);
for (const name of ['all', 'allSettled', 'any', 'race']) same(name, Sub[name]([1]) instanceof Sub, true);
same('an async function gives a plain one', (async () => sub)() instanceof Sub, false);
const before = Sub.made;
sub.then(() => {});
same('then makes one', Sub.made - before, 1);
throws('super not called', () => new (class extends Promise { constructor() {} })(), ReferenceError);
throws('this used before super', () => new (class extends Promise { constructor(f) { this.a = 1; super(f); } })(() => {}), ReferenceError);

class Plain extends Promise { static get [Symbol.species]() { return Promise; } }
same('species decides for then', Plain.resolve(1).then() instanceof Plain, false);
same('species does not decide for resolve', Plain.resolve(1) instanceof Plain, true);
same('species does not decide for all', Plain.all([]) instanceof Plain, true);
const speciesOf = (value) => { const p = Promise.resolve(1); p.constructor = { [Symbol.species]: value }; return p; };
same('species null', speciesOf(null).then().constructor, Promise);
same('species undefined', speciesOf(undefined).then().constructor, Promise);
throws('species that is no constructor', () => speciesOf(() => {}).then(), TypeError);
throws('species that is a number', () => speciesOf(5).then(), TypeError);
const without = Promise.resolve(1);
without.constructor = undefined;
same('constructor undefined', without.then() instanceof Promise, true);
without.constructor = 5;
throws('constructor that is no object', () => without.then(), TypeError);

function capability(act) {
  return function C(executor) { act(executor); return { then() {} }; };
}
throws('an executor that was never called', () => Promise.resolve.call(capability(() => {}), 1), TypeError);
throws('an executor called without functions', () => Promise.resolve.call(capability((e) => e()), 1), TypeError);
throws('an executor called with one function', () => Promise.resolve.call(capability((e) => e(() => {})), 1), TypeError);
throws('an executor called twice', () => Promise.resolve.call(capability((e) => { e(() => {}, () => {}); e(() => {}, () => {}); }), 1), TypeError);
const calls = [];
Promise.resolve.call(capability((e) => { e(undefined, undefined); e((v) => calls.push(v), () => {}); }), 'value');
same('undefined may be overwritten', calls, ['value']);
let shape;
Promise.resolve.call(capability((e) => { shape = [e.name, e.length]; e(() => {}, () => {}); }), 1);
same('the executor of a capability', shape, ['', 2]);
const foreign = [];
class Foreign { constructor(executor) { executor((v) => foreign.push(['yes', v]), (e) => foreign.push(['no', e])); } static resolve(v) { return { then: (yes) => yes(v) }; } }
same('all on another constructor', Promise.all.call(Foreign, [1, 2]) instanceof Foreign, true);
same('settles it at once', foreign, [['yes', [1, 2]]]);

(async () => {
  same('await', await sub, 1);
  same('then runs', await Sub.resolve(2).then((v) => v + 1), 3);
  await rejects('rejects', Sub.reject('r'), 'r');
  class Lazy extends Promise {
    #start;
    constructor(executor) { let ok; super((yes) => { ok = yes; }); this.#start = () => executor(ok); }
    static get [Symbol.species]() { return Promise; }
    then(...args) { this.#start?.(); return super.then(...args); }
  }
  let ran = 0;
  const lazy = new Lazy((yes) => { ran++; yes('lazy'); });
  same('a then that is overridden: not yet', ran, 0);
  same('await calls it, as the constructor is another', await lazy, 'lazy');
  same('once', ran, 1);
  class Logged extends Promise { finally(act) { return super.finally(() => { act('before'); }); } }
  const log = [];
  await Logged.resolve(1).finally((what) => log.push(what));
  same('super.finally', log, ['before']);
  const order = [];
  Sub.resolve().then(() => order.push(1)).then(() => order.push(3));
  Promise.resolve().then(() => order.push(2)).then(() => order.push(4));
  await null; await null; await null;
  same('jobs are as those of plain ones', order, [1, 2, 3, 4]);
  same('Sub.all of plain ones', await Sub.all([Promise.resolve(1), sub]), [1, 1]);
  same('finally uses the species', Plain.resolve(1).finally(() => {}) instanceof Plain, false);
})().catch((error) => console.log('failed', error));
