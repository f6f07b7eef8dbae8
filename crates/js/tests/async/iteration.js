// ECMA-262 27.1.4: async iterators that are made of plain ones, seen through yield*.
const { same, rejects } = require('./support/check.cjs');

const wrap = (iterator) => (async function* () { return yield* { [Symbol.iterator]: () => iterator }; })();
const step = ({ value, done }) => `${value}${done ? '!' : ''}`;
(async () => {
  let got = [];
  const full = {
    next(...args) { got.push(['next', ...args]); return { value: Promise.resolve('n'), done: false }; },
    return(...args) { got.push(['return', ...args]); return { value: Promise.resolve('r'), done: true }; },
    throw(...args) { got.push(['throw', ...args]); return { value: Promise.resolve('t'), done: true }; },
  };
  let g = wrap(full);
  same('values are awaited', [step(await g.next('lost')), step(await g.next(1)), step(await g.throw(2))], ['n', 'n', 't!']);
  same('arguments go through', got, [['next', undefined], ['next', 1], ['throw', 2]]);
  g = wrap(full);
  got = [];
  await g.next();
  same('return is awaited', step(await g.return(3)), 'r!');
  same('return goes through', got.at(-1), ['return', 3]);
  g = wrap({ next: () => ({ value: 1, done: false }) });
  await g.next();
  same('without return it just ends', step(await g.return('given')), 'given!');
  g = wrap({ next: () => ({ value: 1, done: false }), return: null });
  await g.next();
  same('null is no return', step(await g.return('given')), 'given!');
  g = wrap({ next: () => ({ value: 1, done: false }), return: () => 5 });
  await g.next();
  await rejects('return that gives no object', g.return(), TypeError);
  g = wrap({ next: () => ({ value: 1, done: false }), return: () => ({ value: 'not yet', done: false }) });
  await g.next();
  same('return that is not done yields', step(await g.return()), 'not yet');
  await rejects('a value that is rejected', wrap({ next: () => ({ value: Promise.reject('v'), done: false }) }).next(), 'v');
  await rejects('next that throws', wrap({ next() { throw 'n'; } }).next(), 'n');
  await rejects('next that gives no object', wrap({ next: () => 1 }).next(), TypeError);
  await rejects('done that throws', wrap({ next: () => ({ get done() { throw 'd'; } }) }).next(), 'd');
  await rejects('value that throws', wrap({ next: () => ({ done: false, get value() { throw 'v'; } }) }).next(), 'v');
  same('the last value is awaited', step(await wrap({ next: () => ({ value: Promise.resolve('last'), done: true }) }).next()), 'last!');
  same('results are objects of their own', await (async () => {
    const result = { value: 1, done: false, extra: true };
    return Object.keys(await wrap({ next: () => result }).next());
  })(), ['value', 'done']);
  const iterator = (async function* () { yield 1; })();
  same('an async generator is its own iterator', iterator[Symbol.asyncIterator](), iterator);
  same('and no plain one', Symbol.iterator in iterator, false);
  same('the symbol', [typeof Symbol.asyncIterator, Symbol.asyncIterator.description], ['symbol', 'Symbol.asyncIterator']);
  const descriptor = Object.getOwnPropertyDescriptor(Symbol, 'asyncIterator');
  same('the symbol cannot be changed', [descriptor.writable, descriptor.configurable], [false, false]);

  // A queue that is written and read at any time: the protocol by hand.
  class Queue {
    #values = [];
    #readers = [];
    #ended = false;
    put(value) { if (this.#readers.length) this.#readers.shift()({ value, done: false }); else this.#values.push(value); }
    end() { this.#ended = true; for (const read of this.#readers.splice(0)) read({ value: undefined, done: true }); }
    next() {
      if (this.#values.length) return Promise.resolve({ value: this.#values.shift(), done: false });
      if (this.#ended) return Promise.resolve({ value: undefined, done: true });
      return new Promise((yes) => this.#readers.push(yes));
    }
    return(value) { this.end(); return Promise.resolve({ value, done: true }); }
    [Symbol.asyncIterator]() { return this; }
  }
  const queue = new Queue();
  const seen = [];
  const reader = (async () => { for await (const value of queue) seen.push(value); })();
  queue.put(1);
  queue.put(2);
  setTimeout(() => { queue.put(3); queue.end(); }, 1);
  await reader;
  same('a queue is read to its end', seen, [1, 2, 3]);
  const left = new Queue();
  left.put('a');
  for await (const _ of left) break;
  same('a queue that was left is closed', step(await left.next()), 'undefined!');
  const shared = new Queue();
  const readers = Promise.all([1, 2].map(async (who) => { const all = []; for await (const value of shared) all.push(`${who}${value}`); return all.join(); }));
  for (const value of ['a', 'b', 'c', 'd']) shared.put(value);
  setTimeout(() => shared.end(), 1);
  same('two readers share', await readers, ['1a,1c', '2b,2d']);
  async function* map(source, f) { for await (const value of source) yield f(value); }
  async function* take(source, count) { if (count > 0) for await (const value of source) { yield value; if (--count === 0) return; } }
  async function* naturals() { let n = 0; try { for (;;) yield n++; } finally { seen.push('naturals closed'); } }
  const result = [];
  for await (const value of take(map(naturals(), async (n) => n * n), 4)) result.push(value);
  same('stages', result, [0, 1, 4, 9]);
  same('stages are closed', seen.at(-1), 'naturals closed');
})().catch((error) => console.log('failed', error));
