// ECMA-262 15.8, 15.6: async methods.
const { same, throws, rejects, isSyntaxError } = require('./support/check.cjs');

const key = Symbol('key');
const object = {
  base: 1,
  async plain(a, b) { await 0; return [this.base, a, b]; },
  async [key]() { return 'symbol'; },
  async 'quoted name'() { return 'quoted'; },
  async 7() { return 'number'; },
  async async() { return 'async'; },
  async await() { return 'await'; },
  async get() { return 'get'; },
  async *numbers() { yield 1; yield await 2; },
  get async2() { return 'getter'; },
};
const names = { async() { return 'plain method'; }, await: 1, get: 2 };
const shorthand = ((async) => ({ async }))(4);
same('name', object.plain.name, 'plain');
same('name of a symbol', object[key].name, '[key]');
same('length', object.plain.length, 2);
same('no prototype', 'prototype' in object.plain, false);
throws('no constructor', () => new object.plain(), TypeError);
same('a method called async', names.async(), 'plain method');
same('async as shorthand', shorthand.async, 4);
same('text', object.plain.toString(), 'async plain(a, b) { await 0; return [this.base, a, b]; }');
same('tag', object.plain[Symbol.toStringTag], 'AsyncFunction');
same('enumerable in a literal', Object.getOwnPropertyDescriptor(object, 'plain').enumerable, true);

class Parent {
  #secret = 5;
  static made = 0;
  async greet(who) { await 0; return `hello ${who}`; }
  async #hidden(n) { await 0; return this.#secret + n; }
  reveal(n) { return this.#hidden(n); }
  static async create(...args) { await 0; this.made++; return new this(...args); }
  static async #s() { return 'static private'; }
  static t() { return this.#s(); }
  async has(o) { return #secret in await o; }
  arrow = async () => { await 0; return this.#secret; };
  static async = 'a field';
  get async() { return 'an accessor'; }
  async
  field = 9;
}
class Child extends Parent {
  async greet(who) { const first = await super.greet(who); await 0; return `${first}, ${await super.greet('again')}`; }
  async arrows() { return (async () => { await 0; return super.greet('arrow'); })(); }
  async target() { await 0; return new.target; }
  static async create() { return [await super.create() instanceof this, this === Child]; }
  constructor(fail) { super(); this.ready = (async () => { await 0; if (fail) throw fail; return this; })(); }
}
same('not enumerable in a class', Object.keys(Parent.prototype), []);
same('a field called async ends with its line', Object.hasOwn(new Parent(), 'async') && new Parent().field, 9);
(async () => {
  same('this', await object.plain(2, 3), [1, 2, 3]);
  same('names', [await object[key](), await object['quoted name'](), await object[7](), await object.async(), await object.await(), await object.get()],
    ['symbol', 'quoted', 'number', 'async', 'await', 'get']);
  same('getter next to them', object.async2, 'getter');
  const all = [];
  for await (const n of object.numbers()) all.push(n);
  same('async generator method', all, [1, 2]);
  same('super', await new Child().greet('you'), 'hello you, hello again');
  same('super in an arrow after an await', await new Child().arrows(), 'hello arrow');
  same('new.target', await new Child().target(), undefined);
  same('private method', await new Parent().reveal(1), 6);
  same('static', (await Parent.create()) instanceof Parent, true);
  same('static super', await Child.create(), [true, true]);
  same('static private', await Parent.t(), 'static private');
  same('private in', [await new Parent().has(new Parent()), await new Parent().has({})], [true, false]);
  same('arrow in a field', await new Parent().arrow(), 5);
  same('an arrow of the constructor', (await new Child().ready).field, 9);
  await rejects('an arrow of the constructor that fails', new Child('bad').ready, 'bad');
  await rejects('private method of something else', (async () => Parent.prototype.reveal.call({}))(), TypeError);
})().catch((error) => console.log('failed', error));

isSyntaxError('an async constructor', 'class A { async constructor() {} }');
isSyntaxError('an async getter', '({ async get a() {} })');
isSyntaxError('a line break after async', '({ async\n a() {} })');
isSyntaxError('super call in an async method', 'class A extends B { async m() { super() } }');
isSyntaxError('await as a parameter of a method', '({ async m(await) {} })');
