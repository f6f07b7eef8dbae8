// Every test of util.types on every kind of value, also on values that pretend to be another.
const details = new WeakMap();
binding.getProxyDetails = (value) => details.get(value);
const makeProxy = (target) => {
  const proxy = new Proxy(target, {});
  details.set(proxy, [target, {}]);
  return proxy;
};
const types = onNode ? load('util').types : load('internal/util/types');

const noProto = (object) => Object.setPrototypeOf(object, null);
const tagged = (object, tag) => Object.defineProperty(object, Symbol.toStringTag, { value: tag });
const makers = {
  number: () => 1, string: () => 'x', undefined: () => undefined, null: () => null, symbol: () => Symbol(),
  bigint: () => 1n, true: () => true, object: () => ({}), array: () => [], function: () => function () {},
  arrow: () => () => {}, asyncArrow: () => async () => {}, asyncFunction: () => async function () {},
  generator: () => function* () {}, asyncGenerator: () => async function* () {}, class: () => class {},
  methods: () => ({ async() {} }).async, asyncMethod: () => ({ async m() {} }).m,
  generatorMethod: () => ({ *m() {} }).m, asyncGeneratorMethod: () => ({ async *m() {} }).m,
  bound: () => (async () => {}).bind(), date: () => new Date(0), regexp: () => /x/, error: () => new Error('x'),
  typeError: () => new TypeError('x'), aggregate: () => new AggregateError([]), map: () => new Map(),
  set: () => new Set(), weakMap: () => new WeakMap(), weakSet: () => new WeakSet(), weakRef: () => new WeakRef({}),
  promise: () => Promise.resolve(), mapKeys: () => new Map().keys(), mapEntries: () => new Map().entries(),
  setValues: () => new Set().values(), arrayIterator: () => [].values(), generatorObject: () => (function* () {})(),
  asyncGeneratorObject: () => (async function* () {})(), boxedNumber: () => Object(1), boxedString: () => Object('x'),
  boxedBoolean: () => Object(true), boxedBigint: () => Object(1n), boxedSymbol: () => Object(Symbol()),
  arrayBuffer: () => new ArrayBuffer(1), shared: () => new SharedArrayBuffer(1),
  dataView: () => new DataView(new ArrayBuffer(1)), uint8: () => new Uint8Array(),
  uint8Clamped: () => new Uint8ClampedArray(), uint16: () => new Uint16Array(), uint32: () => new Uint32Array(),
  int8: () => new Int8Array(), int16: () => new Int16Array(), int32: () => new Int32Array(),
  float32: () => new Float32Array(), float64: () => new Float64Array(), bigInt64: () => new BigInt64Array(),
  bigUint64: () => new BigUint64Array(), arguments: () => (function () { return arguments; })(), math: () => Math,
  json: () => JSON, globalThis: () => globalThis, mapPrototype: () => Map.prototype,
  datePrototype: () => Date.prototype, regexpPrototype: () => RegExp.prototype, errorPrototype: () => Error.prototype,
  promisePrototype: () => Promise.prototype, subMap: () => new (class extends Map {})(),
  subDate: () => new (class extends Date {})(), subError: () => new (class extends Error {})(),
  subArray: () => new (class extends Array {})(), subBytes: () => new (class extends Uint8Array {})(1),
  subPromise: () => new (class extends Promise {})(() => {}), inheritsMap: () => Object.create(Map.prototype),
  inheritsDate: () => Object.create(Date.prototype), inheritsError: () => Object.create(Error.prototype),
  inheritsRegExp: () => Object.create(/x/), inheritsBytes: () => Object.create(new Uint8Array(1)),
};
const namespace = await import(`${folder}fixtures/namespace.mjs`);
makers.namespacePrototype = () => namespace;
const disguises = { plain: (value) => value };
const objects = {
  noProto, tagged: (value) => tagged(value, 'Date'), taggedMap: (value) => tagged(value, 'Map'), proxied: makeProxy,
  otherProto: (value) => Object.setPrototypeOf(value, class A {}.prototype),
};
// A promise or a generator is known by its prototype where the engine cannot be asked.
const byPrototype = /romise|Object|mapKeys|mapEntries|setValues|^subBytes/;
const isFixed = (name) => /rototype|math|json|globalThis/.test(name);
for (const [name, make] of Object.entries(makers)) {
  const isObject = Object(make()) === make() || typeof make() === 'object' || typeof make() === 'function';
  for (const [disguise, apply] of Object.entries(isObject && make() !== null && !isFixed(name) ? {
    ...disguises, ...objects,
  } : disguises)) {
    if (byPrototype.test(name) && (disguise === 'noProto' || disguise === 'otherProto')) continue;
    test(`${name} ${disguise}`, () => {
      const value = apply(make());
      // The bare engine treats a proxy as the object it stands for; only the binding tells.
      const asked = disguise === 'proxied' && !onNode ? [
        'isProxy', 'isAsyncFunction', 'isGeneratorFunction',
      ] : Object.keys(types);
      return Object.keys(types).filter((test) => asked.includes(test) && types[test](value)).sort().join(' ').replace(disguise === 'proxied' ? /isArgumentsObject|isModuleNamespaceObject/g : /^$/, '');
    });
  }
}
test('names', () => Object.keys(types).sort().join());
test('no code of the program runs', () => {
  let ran = '';
  const spy = new Proxy({}, {
    get(_, key) { ran += String(key); },
    has(_, key) { if (key !== Symbol.toStringTag) ran += `has ${String(key)}`; return false; },
  });
  const object = {
    get [Symbol.toStringTag]() { ran += 'tag'; return 'Map'; }, get constructor() { ran += 'constructor'; return Map; },
    get size() { ran += 'size'; return 0; },
  };
  if (onNode) return ran;
  for (const name of Object.keys(types)) types[name](object);
  details.set(spy, [{}, {}]);
  return ran;
});
