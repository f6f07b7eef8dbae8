// ECMA-262 27.7, 15.8: async function objects and their calls.
const { same, throws, rejects, isSyntaxError } = require('./support/check.cjs');

async function declared(a, b = 1) { return a; }
const AsyncFunction = Object.getPrototypeOf(declared).constructor;
same('name of the constructor', AsyncFunction.name, 'AsyncFunction');
same('length of the constructor', AsyncFunction.length, 1);
same('the constructor extends Function', Object.getPrototypeOf(AsyncFunction), Function);
same('its prototype extends that of Function', Object.getPrototypeOf(AsyncFunction.prototype), Function.prototype);
same('tag', AsyncFunction.prototype[Symbol.toStringTag], 'AsyncFunction');
same('tag of a function', Object.prototype.toString.call(declared), '[object AsyncFunction]');
same('typeof', typeof declared, 'function');
same('length counts up to a default', declared.length, 1);
same('name of a declaration', declared.name, 'declared');
same('no prototype', Object.hasOwn(declared, 'prototype'), false);
throws('no constructor', () => new declared(), TypeError);
const named = async () => {};
same('name of an arrow', named.name, 'named');
same('name of a default', (({ f = async function () {} }) => f.name)({}), 'f');
throws('an arrow is no constructor', () => new named(), TypeError);
throws('calling the constructor of a class that extends it', () => Reflect.construct(declared, []), TypeError);
const made = new AsyncFunction('a', 'b = 2', 'return await a + await b');
same('made by the constructor: name', made.name, 'anonymous');
same('made by the constructor: text', made.toString(), 'async function anonymous(a,b = 2\n) {\nreturn await a + await b\n}');
const text = async function f(a) { /* keeps */ await a; return (await a) };
same('text of a function', text.toString(), 'async function f(a) { /* keeps */ await a; return (await a) }');
const arrow = async a => await a;
same('text of an arrow', arrow.toString(), 'async a => await a');

const log = [];
async function steps() { log.push('before'); await null; log.push('after'); }
const running = steps();
log.push('returned');
same('runs until the first await', log, ['before', 'returned']);
same('gives a promise', running instanceof Promise && running.constructor === Promise, true);
const ThePromise = Promise;
globalThis.Promise = class Other {};
const other = declared();
globalThis.Promise = ThePromise;
same('the promise is the intrinsic one', other instanceof ThePromise, true);

const sloppy = Function('return async function () { return this }')();
const strict = async function () { 'use strict'; return this; };
const byArguments = async function (a) { a = 2; return arguments[0]; };
const byStrictArguments = async function (a) { 'use strict'; a = 2; await null; return [arguments[0], arguments.length]; };
class Holder {
  value = 7;
  async get() { const inner = async () => { await null; return [this.value, arguments[0], new.target]; }; return inner(9); }
}

(async () => {
  await running;
  same('goes on after the await', log, ['before', 'returned', 'after']);
  same('fulfils with what is returned', await declared(5), 5);
  same('fulfils with undefined', await (async () => {})(), undefined);
  same('adopts a promise', await (async () => Promise.resolve(6))(), 6);
  same('adopts a thenable', await (async () => ({ then(yes) { yes(7); } }))(), 7);
  await rejects('rejects with what is thrown', (async () => { throw 8; })(), 8);
  await rejects('rejects when a default throws', (async (a = (() => { throw 9; })()) => a)(), 9);
  await rejects('rejects when a pattern fails', (async ({ a }) => a)(null), TypeError);
  await rejects('rejects when a default reads itself', (async (a = a) => a)(), ReferenceError);
  same('made by the constructor: runs', await made(1), 3);
  same('sloppy this', await sloppy.call(undefined), globalThis);
  same('sloppy this is an object', typeof await sloppy.call(1), 'object');
  same('strict this', await strict.call(1), 1);
  same('arguments are mapped', await byArguments(1), 2);
  same('strict arguments are not', await byStrictArguments(1, 0), [1, 2]);
  same('an arrow has the function\'s this, arguments and new.target', await new Holder().get(3), [7, 3, undefined]);
  same('name bound inside', await (async function self() { return typeof self; })(), 'function');
  same('assigning to that name does nothing', await (async function self() { self = 1; return typeof self; })(), 'function');
  await rejects('or throws in strict code', (async function self() { 'use strict'; self = 1; })(), TypeError);
  same('hoisted', await hoisted(), 'hoisted');
  async function hoisted() { return 'hoisted'; }
  same('recursion', await (async function sum(n) { return n === 0 ? 0 : n + await sum(n - 1); })(50), 1275);

  var async = (x) => x * 2;
  same('async is a name', async(4), 8);
  same('async before a line break is a name', new Function('var async = 1; async\nfunction f() {} return f() === undefined && async')(), 1);
  same('await is a name in plain sloppy code', new Function('var await = 3; return await')(), 3);
  same('await is a name in a plain function inside', await (async () => new Function('function f(await) { return await } return f(4)')())(), 4);
  same('async arrow with the name async', await (async async => async)(5), 5);

  for (const [name, body] of Object.entries({
    'await as a parameter': 'async function f(await) {}',
    'await as the name of an expression': '(async function await() {})',
    'await as a variable': 'async function f() { var await }',
    'await as a label': 'async function f() { await: 1 }',
    'await in a parameter': 'async function f(a = await 1) {}',
    'await in a parameter of an arrow': 'async (a = await 1) => 1',
    'await in a parameter of an arrow inside': 'async () => (a = await 1) => 1',
    'await in a plain function': 'function f() { await 1 }',
    'await in a static block': 'async function f() { class A { static { await 1 } } }',
    'await as an operand of a power': 'async () => await 2 ** 2',
    'await without an operand': 'async () => { await }',
    'a line break after async in an arrow': 'async\n() => {}',
    'a line break before the arrow': 'async ()\n=> {}',
    'a function with use strict and a pattern': 'async function f({}) { "use strict" }',
    'a parameter twice in an arrow': 'async (a, a) => 1',
    'a parameter that is declared again': 'async function f(a) { let a }',
    'super outside of a method': 'async function f() { super.a }',
    'async with an escape': '\\u0061sync function f() { await 1 }',
    'an async function as the body of an if': 'if (1) async function f() {}',
    'a labelled async function': 'a: async function f() {}',
  })) isSyntaxError(`no syntax: ${name}`, body);
})();
