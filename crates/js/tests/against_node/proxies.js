// What proxies tell of properties.
'use strict';
const util = require('util');

const target = { value: 1, get both() { return 2; }, set both(to) { this.value = to; }, get only() { return 3; } };
Object.defineProperty(target, 'hidden', { configurable: true, get: () => 4 });
const handlers = {
  none: {},
  passing: { getOwnPropertyDescriptor: (of, name) => Reflect.getOwnPropertyDescriptor(of, name) },
  reflecting: Reflect,
  inventing: { getOwnPropertyDescriptor: () => ({ get: () => 5, configurable: true, enumerable: true }), ownKeys: () => ['made'] },
  setting: { getOwnPropertyDescriptor: () => ({ set() {}, configurable: true }), ownKeys: () => ['made'] },
};
for (const [name, handler] of Object.entries(handlers)) {
  const proxy = new Proxy(target, handler);
  console.log(name, Object.getOwnPropertyDescriptors(proxy));
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(proxy));
  console.log(copy.both, copy.only, copy.made, Object.keys(proxy), { ...proxy });
  console.log(Reflect.set({}, 'only', 1, proxy), Reflect.set(Object.create(proxy), 'only', 1));
  console.log(util.inspect(proxy, { getters: true }), util.isDeepStrictEqual(proxy, target));
  console.log(Object.prototype.__lookupGetter__.call(proxy, 'only')?.call({}), Object.hasOwn(proxy, 'only'), proxy.propertyIsEnumerable('hidden'));
}
const within = new Proxy(new Proxy(target, handlers.passing), handlers.passing);
console.log(typeof Object.getOwnPropertyDescriptor(within, 'both').set, Object.isFrozen(within), Object.entries(within));
