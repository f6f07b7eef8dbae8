// ECMA-262 27.4, 27.6, 15.6: async generators.
const { same, throws, rejects, isSyntaxError } = require('./support/check.cjs');

async function* declared(a, b) { yield a; }
const AsyncGeneratorFunction = Object.getPrototypeOf(declared).constructor;
const AsyncGeneratorPrototype = Object.getPrototypeOf(declared.prototype);
const AsyncIteratorPrototype = Object.getPrototypeOf(AsyncGeneratorPrototype);
same('name of the constructor', AsyncGeneratorFunction.name, 'AsyncGeneratorFunction');
same('tag of a function', declared[Symbol.toStringTag], 'AsyncGeneratorFunction');
same('tag of a generator', Object.prototype.toString.call(declared()), '[object AsyncGenerator]');
same('prototype of the functions', AsyncGeneratorFunction.prototype.prototype, AsyncGeneratorPrototype);
same('a prototype without constructor', Object.getOwnPropertyNames(declared.prototype), []);
const descriptor = Object.getOwnPropertyDescriptor(declared, 'prototype');
same('prototype is writable only', [descriptor.writable, descriptor.enumerable, descriptor.configurable], [true, false, false]);
throws('no constructor', () => new declared(), TypeError);
same('length', declared.length, 2);
same('iterates itself', AsyncIteratorPrototype[Symbol.asyncIterator].call(5), 5);
same('name of that function', AsyncIteratorPrototype[Symbol.asyncIterator].name, '[Symbol.asyncIterator]');
same('methods and their lengths', ['next', 'return', 'throw'].map((name) => AsyncGeneratorPrototype[name].length), [1, 1, 1]);
same('a generator inherits from the function\'s prototype', declared() instanceof declared, true);
declared.prototype = null;
same('or from the intrinsic one', Object.getPrototypeOf(declared()), AsyncGeneratorPrototype);
throws('defaults are evaluated at once', () => (async function* (a = (() => { throw new RangeError(); })()) {})(), RangeError);
const made = new AsyncGeneratorFunction('n', 'yield await n; yield n + 1');

const step = ({ value, done }) => `${value}${done ? '!' : ''}`;
async function all(iterable) {
  const values = [];
  for await (const value of iterable) values.push(value);
  return values;
}

(async () => {
  same('made by the constructor', await all(made(1)), [1, 2]);
  let started = false;
  const lazy = (async function* () { started = true; })();
  same('nothing runs before next', started, false);
  const promise = lazy.next();
  same('next runs at once', started, true);
  same('next gives a promise', promise.constructor, Promise);
  same('ends', step(await promise), 'undefined!');
  same('ended stays ended', step(await lazy.next(1)), 'undefined!');
  same('return of an ended one', step(await lazy.return(2)), '2!');
  await rejects('throw of an ended one', lazy.throw(3), 3);
  same('return of an ended one awaits', step(await lazy.return(Promise.resolve(4))), '4!');
  await rejects('and may be rejected', lazy.return(Promise.reject(5)), 5);

  same('yield awaits', await all((async function* () { yield Promise.resolve(1); yield { then(yes) { yes(2); } }; })()), [1, 2]);
  same('return awaits', step(await (async function* () { return Promise.resolve(3); })().next()), '3!');
  await rejects('return of a rejected promise', (async function* () { return Promise.reject(4); })().next(), 4);
  same('return of a rejected promise is caught inside', step(await (async function* () { try { return Promise.reject(1); } catch (e) { return `caught ${e}`; } })().next()), 'caught 1!');
  same('yield of a rejected promise throws inside', step(await (async function* () { try { yield Promise.reject(1); } catch (e) { yield `caught ${e}`; } })().next()), 'caught 1');
  const talk = (async function* (a) { const b = yield a; const c = yield b; return [b, c].join(); })('a');
  same('next sends values', [step(await talk.next('lost')), step(await talk.next('b')), step(await talk.next('c'))], ['a', 'b', 'b,c!']);

  const log = [];
  const busy = (async function* () { log.push('start'); yield 1; log.push('second'); await null; yield 2; log.push('third'); })();
  const requests = [busy.next(), busy.next(), busy.next(), busy.next()];
  same('requests wait', log, ['start']);
  same('and are answered in order', (await Promise.all(requests)).map(step), ['1', '2', 'undefined!', 'undefined!']);
  same('having run once', log, ['start', 'second', 'third']);
  const mixed = (async function* () { try { yield 1; yield 2; } finally { log.push('closed'); } })();
  same('next, return and next at once', (await Promise.all([mixed.next(), mixed.return('r'), mixed.next()])).map(step), ['1', 'r!', 'undefined!']);
  same('finally ran', log.at(-1), 'closed');
  const threw = await Promise.allSettled([(async function* () { yield 1; })()].flatMap((g) => [g.next(), g.throw('t'), g.next()]));
  same('next, throw and next at once', threw.map((r) => r.reason ?? step(r.value)), ['1', 't', 'undefined!']);

  same('return before the start', step(await (async function* () { log.push('never'); })().return(7)), '7!');
  await rejects('throw before the start', (async function* () { log.push('never'); })().throw(8), 8);
  same('neither ran', log.includes('never'), false);
  const cleaning = (async function* () { try { yield 1; } finally { yield 'cleaning'; await null; } })();
  await cleaning.next();
  same('yield in finally', [step(await cleaning.return('r')), step(await cleaning.next())], ['cleaning', 'r!']);
  const refusing = (async function* () { try { yield 1; } finally { return 'mine'; } })();
  await refusing.next();
  same('return in finally', step(await refusing.return('yours')), 'mine!');
  const awaited = (async function* () { try { yield 1; } catch (e) { yield `caught ${e}`; } })();
  await awaited.next();
  same('return of a rejected promise throws inside', step(await awaited.return(Promise.reject('r'))), 'caught r');
  const catching = (async function* () { for (;;) try { yield 1; } catch (e) { yield e; } })();
  await catching.next();
  same('throw is caught inside', step(await catching.throw('e')), 'e');

  same('yield* of an array awaits', await all((async function* () { yield* [Promise.resolve(1), 2]; })()), [1, 2]);
  same('yield* gives the value of return', await all((async function* () { yield yield* (async function* () { yield 1; return 2; })(); })()), [1, 2]);
  const raw = Promise.resolve('raw');
  const passing = { [Symbol.asyncIterator]: () => ({ next: () => ({ value: raw, done: false }) }) };
  same('yield* of an async iterator does not await its values', (await (async function* () { yield* passing; })().next()).value, raw);
  const inner = [];
  const recorder = {
    [Symbol.asyncIterator]: () => ({
      next(v) { inner.push(['next', v]); return { value: 'n', done: false }; },
      return(v) { inner.push(['return', v]); return { value: `r${v}`, done: true }; },
      throw(v) { inner.push(['throw', v]); return { value: `t${v}`, done: true }; },
    }),
  };
  const outer = (async function* () { return `end ${yield* recorder}`; })();
  same('yield* passes on', [step(await outer.next('lost')), step(await outer.next(1)), step(await outer.throw(2))], ['n', 'n', 'end t2!']);
  same('what it passes', inner, [['next', undefined], ['next', 1], ['throw', 2]]);
  const returned = (async function* () { yield* recorder; })();
  await returned.next();
  same('yield* passes return on', step(await returned.return(5)), 'r5!');
  const withoutThrow = { [Symbol.asyncIterator]: () => ({ next: () => ({ value: 1, done: false }), return() { inner.push('closed'); return {}; } }) };
  const closes = (async function* () { yield* withoutThrow; })();
  await closes.next();
  await rejects('yield* of what has no throw', closes.throw('x'), TypeError);
  same('closes it', inner.at(-1), 'closed');
  await rejects('yield* of what is not iterable', (async function* () { yield* 5; })().next(), TypeError);
  await rejects('yield* of what gives no object', (async function* () { yield* { [Symbol.asyncIterator]: () => ({ next: () => 1 }) }; })().next(), TypeError);

  for (const name of ['next', 'return', 'throw']) {
    const call = AsyncGeneratorPrototype[name].call({});
    same(`${name} of something else gives a promise`, call instanceof Promise, true);
    await rejects(`that ${name} is rejected`, call, TypeError);
  }
  same('yield without a value', await all((async function* () { yield; yield })()), [undefined, undefined]);
  same('yield in an expression', await all((async function* () { const x = [yield 1, yield 2]; yield x.length; })()), [1, 2, 2]);
  same('yield await', await all((async function* () { yield await Promise.resolve(1); })()), [1]);
  same('await yield', await (async () => { const g = (async function* () { return await (yield 1); })(); await g.next(); return step(await g.next(Promise.resolve(2))); })(), '2!');
  same('this and arguments', await all((async function* () { yield this.a; await null; yield arguments[0]; }).call({ a: 1 }, 2)), [1, 2]);
  await rejects('an error ends it', (async () => { const g = (async function* () { throw 'e'; })(); await g.next().catch(() => {}); same('after it', step(await g.next()), 'undefined!'); throw 'seen'; })(), 'seen');
})().catch((error) => console.log('failed', error));

isSyntaxError('yield as a parameter', 'async function* f(yield) {}');
isSyntaxError('await as a parameter', 'async function* f(await) {}');
isSyntaxError('yield in a parameter', 'async function* f(a = yield) {}');
isSyntaxError('an arrow that is a generator', 'async * () => {}');
isSyntaxError('yield as a label', 'async function* f() { yield: 1 }');
