'use strict';

// What only natives can see: proxies, iterators, weak collections, the real class of an object.
const { inspect, types } = require('util');

class Point { constructor() { this.x = 1; } }
class Tagged { get [Symbol.toStringTag]() { return 'T'; } }
const map = new Map([['a', 1], ['b', { c: 2 }], ['d', [3]]]);
const set = new Set([1, 'two', { three: 3 }]);
const begun = (iterator, steps) => {
  while (steps-- > 0) iterator.next();
  return iterator;
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const key = { key: 1 };
const deleted = (() => {
  const source = new Map([[1, 1], [2, 2], [3, 3]]);
  const iterator = source.entries();
  iterator.next();
  source.delete(1);
  source.delete(2);
  source.set(4, 4);
  return iterator;
})();

const values = {
  proxy: new Proxy({ a: 1 }, { get() { throw new Error('touched'); } }),
  proxyOfFunction: new Proxy(function named() {}, {}),
  proxyOfProxy: new Proxy(new Proxy([1, 2], {}), { has() {} }),
  proxyOfClass: new Proxy(new Point(), {}),
  revoked: revoked.proxy,
  mapEntries: map.entries(),
  mapKeys: map.keys(),
  mapValues: map.values(),
  mapBegun: begun(map.entries(), 1),
  mapOver: begun(map.entries(), 9),
  setValues: set.values(),
  setEntries: begun(set.entries(), 1),
  deleted,
  weakMap: new WeakMap([[key, 5]]),
  weakSet: new WeakSet([key]),
  weakRef: new WeakRef(key),
  boxed: [Object(1), Object('s'), Object(true), Object(1n), Object(Symbol('s'))],
  disguised: Object.setPrototypeOf(new Map([[1, 2]]), null),
  disguisedDate: Object.setPrototypeOf(new Date(0), Point.prototype),
  point: new Point(),
  tagged: new Tagged(),
  error: Object.setPrototypeOf(new RangeError('r'), null) instanceof Error,
  generator: (function* () {})(),
  asyncGenerator: (async function* () {})(),
  promise: [Promise.resolve(4), new Promise(() => {}), (() => { const p = Promise.reject(5); p.catch(() => {}); return p; })()],
  arguments: (function () { return arguments; })(1, 2),
  dataView: new DataView(new ArrayBuffer(2)),
  typed: Object.assign(new Uint8Array(3), { extra: 1 }),
  buffer: Object.assign(Buffer.from('abc'), { extra: 1 }),
  nullPrototype: Object.create(null),
};
for (const [name, value] of Object.entries(values)) {
  for (const options of [{}, { showProxy: true }, { showHidden: true, depth: 1 }, { showProxy: true, depth: 0 }]) {
    console.log(name, inspect(value, options));
  }
  // Node's own questions about keys touch a proxy.
  const is = Object.keys(types).filter((test) => !/Key|External/.test(test) && types[test](value));
  console.log(name, is.join());
}
console.table(map.entries());
console.table(new Set(['a']).values());
console.log('%o %s %s', new Proxy({ a: 1 }, {}), new Proxy({}, {}), map.values());

// A map that iterates over what are no pairs.
const odd = new Map([[1, 'a']]);
odd[Symbol.iterator] = () => [100, 'xy', [1, 2]].values();
console.log(odd);
