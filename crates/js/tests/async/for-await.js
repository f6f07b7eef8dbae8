// ECMA-262 14.7.5, 27.1.4: for await, and async iterators made of plain ones.
const { same, rejects, isSyntaxError } = require('./support/check.cjs');

const collect = async (iterable) => { const all = []; for await (const x of iterable) all.push(x); return all; };
// Counts up to a limit, and notes what is called.
function counter(limit, log, extra = {}) {
  let n = 0;
  return {
    [Symbol.asyncIterator]() {
      log.push('open');
      return { next() { log.push('next'); return Promise.resolve({ value: n, done: n++ >= limit }); }, return(v) { log.push('return'); return Promise.resolve({ v }); }, ...extra };
    },
  };
}

(async () => {
  same('array', await collect([1, 2]), [1, 2]);
  same('promises in an array', await collect([Promise.resolve(1), 2, { then(yes) { yes(3); } }]), [1, 2, 3]);
  same('text', await collect('ab'), ['a', 'b']);
  same('map', await collect(new Map([[1, 2]])), [[1, 2]]);
  same('plain generator', await collect((function* () { yield 1; yield Promise.resolve(2); return 3; })()), [1, 2]);
  same('empty', await collect([]), []);
  let log = [];
  same('async iterator', await collect(counter(2, log)), [0, 1]);
  same('is not closed at its end', log, ['open', 'next', 'next', 'next']);
  log = [];
  for await (const x of counter(5, log)) { if (x === 1) break; }
  same('break closes', log, ['open', 'next', 'next', 'return']);
  log = [];
  await (async () => { for await (const x of counter(5, log)) return x; })();
  same('return closes', log, ['open', 'next', 'return']);
  log = [];
  await rejects('throw', (async () => { for await (const x of counter(5, log)) throw `t${x}`; })(), 't0');
  same('throw closes', log, ['open', 'next', 'return']);
  log = [];
  await rejects('await that fails', (async () => { for await (const x of counter(5, log)) await Promise.reject(`f${x}`); })(), 'f0');
  same('closes, too', log, ['open', 'next', 'return']);
  log = [];
  outer: for (const _ of [1, 2]) { for await (const x of counter(5, log)) continue outer; }
  same('continue of an outer loop closes', log, ['open', 'next', 'return', 'open', 'next', 'return']);
  log = [];
  same('continue', await (async () => { const all = []; inner: for await (const x of counter(4, log)) { if (x % 2) continue inner; all.push(x); } return all; })(), [0, 2]);
  await rejects('the body\'s error wins over that of closing', (async () => { for await (const _ of counter(5, [], { return() { throw 'r'; } })) throw 'body'; })(), 'body');
  await rejects('closing fails after break', (async () => { for await (const _ of counter(5, [], { return: () => Promise.reject('r') })) break; })(), 'r');
  await rejects('closing gives no object', (async () => { for await (const _ of counter(5, [], { return: () => 1 })) break; })(), TypeError);
  same('closing gives no object, but the body threw', await (async () => { for await (const _ of counter(5, [], { return: () => 1 })) throw 'b'; })().catch((e) => e), 'b');
  same('nothing to close with', await (async () => { for await (const _ of counter(5, [], { return: undefined })) break; return 'fine'; })(), 'fine');
  await rejects('next throws', collect({ [Symbol.asyncIterator]: () => ({ next() { throw 'n'; } }) }), 'n');
  await rejects('next is rejected', collect({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject('n') }) }), 'n');
  log = [];
  await rejects('a failing next', collect(counter(5, log, { next: () => Promise.reject('n') })), 'n');
  same('does not close', log, ['open']);
  await rejects('next gives no object', collect({ [Symbol.asyncIterator]: () => ({ next: () => 5 }) }), TypeError);
  same('next may give a plain object', await collect({ i: 0, [Symbol.asyncIterator]() { return { next: () => ({ value: 'v', done: this.i++ > 0 }) }; } }), ['v']);
  same('next is read once', await (async () => { let reads = 0; let n = 0; await collect({ [Symbol.asyncIterator]: () => ({ get next() { reads++; return () => ({ done: n++ > 2 }); } }) }); return reads; })(), 1);
  same('done is converted', await collect({ [Symbol.asyncIterator]: () => ({ next: () => ({ done: 'yes' }) }) }), []);
  same('the value of the end is not read', await (async () => { let read = false; await collect({ [Symbol.asyncIterator]: () => ({ next: () => ({ done: true, get value() { read = true; } }) }) }); return read; })(), false);
  same('the async iterator comes first', await collect({ [Symbol.asyncIterator]: () => [1][Symbol.iterator](), [Symbol.iterator]: () => [2][Symbol.iterator]() }), [1]);
  same('null means the plain one', await collect({ [Symbol.asyncIterator]: null, [Symbol.iterator]: () => [2][Symbol.iterator]() }), [2]);
  await rejects('no function', collect({ [Symbol.asyncIterator]: 1 }), TypeError);
  await rejects('not iterable', collect({}), TypeError);
  await rejects('undefined', collect(undefined), TypeError);
  await rejects('no iterator', collect({ [Symbol.asyncIterator]: () => 1 }), TypeError);
  const raw = Promise.resolve(1);
  same('values of an async iterator are not awaited', (await collect({ n: 0, [Symbol.asyncIterator]() { return { next: () => ({ value: raw, done: this.n++ > 0 }) }; } }))[0], raw);
  await rejects('a rejected promise in an array', collect([1, Promise.reject('p')]), 'p');
  log = [];
  const plain = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return(v) { log.push(['return', v]); return {}; } }) };
  for await (const _ of plain) break;
  same('break closes a plain iterator', log, [['return', undefined]]);

  same('var', await (async () => { for await (var v of [1, 2]); return v; })(), 2);
  same('an existing name', await (async () => { let v; for await (v of [1, 2]); return v; })(), 2);
  same('a property', await (async () => { const o = {}; for await (o.p of [1, 2]); return o.p; })(), 2);
  same('a pattern', await (async () => { const all = []; for await (const { a, b: [c = await 'd'] = [] } of [{ a: 1 }, { a: 2, b: [3] }]) all.push(a, c); return all; })(), [1, 'd', 2, 3]);
  same('a pattern of an assignment', await (async () => { let a; let b; for await ([a, ...b] of [[1, 2, 3]]); return [a, b]; })(), [1, [2, 3]]);
  same('the name async', await (async () => { let async; for await (async of [7]); return async; })(), 7);
  same('a binding for every round', await (async () => { const all = []; for await (const x of [1, 2]) all.push(() => x); return all.map((f) => f()); })(), [1, 2]);
  await rejects('the name is not there yet', (async () => { for await (const x of [x]); })(), ReferenceError);
  same('the expression is evaluated once', await (async () => { let n = 0; for await (const _ of (n++, [1, 2])); return n; })(), 1);
  same('await in the expression', await (async () => { const all = []; for await (const x of await Promise.resolve([1])) all.push(x); return all; })(), [1]);
  same('nested', await (async () => { const all = []; for await (const x of [1, 2]) for await (const y of [x, x * 10]) all.push(y); return all; })(), [1, 10, 2, 20]);
  same('body without braces', await (async () => { let n = 0; if (1) for await (const x of [1, 2]) n += x; else n = 9; return n; })(), 3);
  same('try around it', await (async () => { try { for await (const _ of [Promise.reject(1)]); } catch (e) { return `caught ${e}`; } finally { await 0; } })(), 'caught 1');
  same('try in it', await (async () => { const all = []; for await (const x of [1, 2]) { try { if (x === 1) continue; all.push(x); } finally { await 0; all.push('f'); } } return all; })(), ['f', 2, 'f']);
  same('in an async generator', await collect((async function* () { for await (const x of [1, 2]) yield x * 2; })()), [2, 4]);
  const closing = [];
  const pipeline = (async function* () { try { for await (const x of (async function* () { try { yield 1; yield 2; } finally { closing.push('source'); } })()) yield x; } finally { closing.push('pipe'); } })();
  for await (const _ of pipeline) break;
  same('closing goes through', closing, ['source', 'pipe']);
  const cleaning = (notes) => (async function* () { try { yield 1; } finally { await null; await null; notes.push('cleaned'); } })();
  for (const [name, loop] of Object.entries({
    break: async (notes) => { for await (const _ of cleaning(notes)) break; },
    return: async (notes) => { for await (const _ of cleaning(notes)) return; },
    throw: async (notes) => { for await (const _ of cleaning(notes)) throw 0; },
    'a pattern that fails': async (notes) => { for await (const { a: { b } } of cleaning(notes)); },
    'an await that fails': async (notes) => { for await (const _ of cleaning(notes)) await Promise.reject(); },
  })) {
    const notes = [];
    await loop(notes).catch(() => {});
    notes.push('left');
    same(`closing is awaited after ${name}`, notes, ['cleaned', 'left']);
    await new Promise((yes) => setImmediate(yes));
  }
})().catch((error) => console.log('failed', error));

isSyntaxError('outside of an async function', 'for await (const x of []) ;');
isSyntaxError('for await in', 'async () => { for await (const x in []) ; }');
isSyntaxError('three parts', 'async () => { for await (let i = 0; ; ) ; }');
isSyntaxError('an initializer', 'async () => { for await (const x = 1 of []) ; }');
isSyntaxError('a declaration as the body', 'async () => { for await (const x of []) let y; }');
