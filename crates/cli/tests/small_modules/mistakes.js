// Mistakes that are caught, with the messages of V8.
'use strict';

const tell = (...mistakes) => {
  for (const make of mistakes) {
    try {
      make();
      console.log('nothing');
    } catch (error) {
      console.log(`${error.name}: ${error.message}`);
    }
  }
};
class K { x = 1; }

// Classes.
tell(
  () => class A extends ({}) {}, () => class A extends 5 {}, () => class A extends undefined {},
  () => { class A { #p; constructor(o) { return o; } } class B extends A { #b; constructor(o) { super(o); } } const o = {}; new B(o); new B(o); },
  () => { class A { get #only() { return 1; } static write(a) { a.#only = 1; } } A.write(new A()); },
  () => { class A { set #never(v) {} static read(a) { return a.#never; } } A.read(new A()); },
  () => { class A { #method() {} static write(a) { a.#method = 1; } } A.write(new A()); },
);
// What cannot be written.
tell(
  () => { Object.freeze({ a: 1 }).a = 2; }, () => { Object.freeze({ a: 1 }).b = 2; }, () => { ({ get read() { return 1; } }).read = 2; },
  () => { delete Object.freeze({ a: 1 }).a; }, () => { delete Object.freeze(new K()).x; }, () => { delete Object.freeze([1])[0]; },
  () => Object.freeze([1]).push(2), () => Object.freeze([1]).pop(), () => Object.freeze([2, 1]).sort(),
);
// Properties.
tell(
  () => Object.defineProperty({}, 'a', 1), () => Object.defineProperties({}, { a: 1 }), () => Object.create({}, { a: 1 }),
  () => Object.defineProperty({}, 'a', { get: 1 }), () => Object.defineProperty({}, 'a', { set: 1 }),
  () => Object.defineProperty({}, 'a', { get() {}, value: 1 }), () => Object.defineProperty(Object.freeze({}), 'a', { value: 1 }),
  () => Object.defineProperty(Object.defineProperty({}, 'a', { value: 1 }), 'a', { value: 2 }),
  () => Object.setPrototypeOf(undefined, {}), () => { const a = {}; Object.setPrototypeOf(a, Object.create(a)); },
);
// Methods on something of another kind.
tell(
  () => Map.prototype.get.call({}, 1), () => Map.prototype.set.call(new Set(), 1), () => WeakMap.prototype.get.call({}, 1), () => Set.prototype.add.call([], 1),
  () => Array.prototype.map.call(null, () => 1), () => Array.prototype.forEach.call(undefined, () => 1), () => Date.prototype.getTime.call(1),
  () => Symbol.prototype.toString.call(1), () => Number.prototype.toString.call('x'), () => Boolean.prototype.valueOf.call(1), () => BigInt.prototype.toString.call(1),
  () => Promise.resolve.call(1), () => Promise.all.call(undefined, []), () => Promise.prototype.then.call({}), () => Promise.prototype.finally.call(1),
  () => Uint8Array.prototype.fill.call([]), () => ArrayBuffer.prototype.slice.call({}), () => (function* () {})().next.call({}), () => RegExp.prototype.exec.call({}),
);
// Others.
tell(
  () => Object.create(null) + '', () => ({ toString() { return {}; }, valueOf() { return {}; } }) + 1, () => new WeakRef(1),
  () => new FinalizationRegistry(() => {}).register(1), () => new FinalizationRegistry(5), () => Reflect.construct(1), () => Reflect.construct(class {}, 1), () => (() => {}).apply(null, 1),
  () => new DataView(1), () => new DataView(new ArrayBuffer(1), 5), () => new Uint16Array(new ArrayBuffer(3)), () => new Uint32Array(new ArrayBuffer(4), 1),
  () => new Uint32Array(new ArrayBuffer(4), 0, 5), () => new Uint8Array(1).with(5, 1), () => [].with(5, 1), () => Atomics.add([], 0, 1),
  () => (function () { return arguments.callee; })(),
);
