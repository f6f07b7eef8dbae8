// ECMA-262 9.5, 27.2: in which order jobs run. Each case counts rounds beside what it checks.
const { same } = require('./support/check.cjs');

// Runs one case after the other, each beside a chain of jobs that writes 1, 2, 3, …
async function beside(name, act, expected) {
  const log = [];
  let chain = Promise.resolve();
  for (let n = 1; n <= 8; n++) chain = chain.then(() => log.push(n));
  act(log);
  await chain;
  await new Promise((yes) => setTimeout(yes, 1));
  same(name, log.join(' '), expected);
}

(async () => {
  await beside('await of a value takes one', async (log) => { await 0; log.push('a'); }, '1 a 2 3 4 5 6 7 8');
  await beside('await of a promise takes one', async (log) => { await Promise.resolve(); log.push('a'); }, '1 a 2 3 4 5 6 7 8');
  await beside('await of a thenable takes two', async (log) => { await { then(yes) { yes(); } }; log.push('a'); }, '1 2 a 3 4 5 6 7 8');
  await beside('await of another class takes three', async (log) => { await (class extends Promise {}).resolve(); log.push('a'); }, '1 2 3 a 4 5 6 7 8');
  await beside('await of a rejected promise takes one', async (log) => { try { await Promise.reject(); } catch { log.push('a'); } }, '1 a 2 3 4 5 6 7 8');
  await beside('an async function that returns a value', (log) => { (async () => {})().then(() => log.push('a')); }, '1 a 2 3 4 5 6 7 8');
  await beside('an async function that returns a promise takes three', (log) => { (async () => Promise.resolve())().then(() => log.push('a')); }, '1 2 3 a 4 5 6 7 8');
  await beside('return await takes one more than return of a value', (log) => { (async () => await Promise.resolve())().then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('an async function that throws', (log) => { (async () => { throw 0; })().catch(() => log.push('a')); }, '1 a 2 3 4 5 6 7 8');
  await beside('resolving with a promise takes two more', (log) => { new Promise((yes) => yes(Promise.resolve())).then(() => log.push('a')); }, '1 2 3 a 4 5 6 7 8');
  await beside('then that returns a promise', (log) => { Promise.resolve().then(() => Promise.resolve()).then(() => log.push('a')); }, '1 2 3 4 a 5 6 7 8');
  await beside('then that returns a thenable', (log) => { Promise.resolve().then(() => ({ then(yes) { yes(); } })).then(() => log.push('a')); }, '1 2 3 a 4 5 6 7 8');
  await beside('catch passes in one', (log) => { Promise.resolve().catch(() => {}).then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('finally takes three', (log) => { Promise.resolve().finally(() => {}).then(() => log.push('a')); }, '1 2 3 4 a 5 6 7 8');
  await beside('all', (log) => { Promise.all([0, Promise.resolve()]).then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('all of nothing', (log) => { Promise.all([]).then(() => log.push('a')); }, '1 a 2 3 4 5 6 7 8');
  await beside('race', (log) => { Promise.race([0]).then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('any that fails', (log) => { Promise.any([Promise.reject()]).catch(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('allSettled', (log) => { Promise.allSettled([0, Promise.reject()]).then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('queueMicrotask', (log) => { queueMicrotask(() => { log.push('a'); queueMicrotask(() => log.push('b')); }); }, '1 a 2 b 3 4 5 6 7 8');
  await beside('nextTick in a job waits for all jobs', (log) => { Promise.resolve().then(() => process.nextTick(() => log.push('tick'))); }, '1 2 3 4 5 6 7 8 tick');
  await beside('two functions in turn', (log) => { const f = async (name) => { for (let i = 0; i < 3; i++) { await 0; log.push(name + i); } }; f('a'); f('b'); }, '1 a0 b0 2 a1 b1 3 a2 b2 4 5 6 7 8');
  await beside('await of an async call', async (log) => { await (async () => { await 0; })(); log.push('a'); }, '1 2 a 3 4 5 6 7 8');
  await beside('for await over an array', async (log) => { for await (const x of ['a', 'b']) log.push(x); log.push('end'); }, '1 2 a 3 4 b 5 6 end 7 8');
  await beside('for await over promises', async (log) => { for await (const x of [Promise.resolve('a')]) log.push(x); log.push('end'); }, '1 2 a 3 4 end 5 6 7 8');
  await beside('for await over an async generator', async (log) => { for await (const x of (async function* () { yield 'a'; yield 'b'; })()) log.push(x); log.push('end'); }, '1 2 a 3 4 b 5 end 6 7 8');
  await beside('an async iterator with plain results', async (log) => { let n = 0; for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => ({ value: 'a', done: n++ > 0 }) }) }) log.push(x); log.push('end'); }, '1 a 2 end 3 4 5 6 7 8');
  await beside('break in for await awaits closing', async (log) => { for await (const _ of { [Symbol.asyncIterator]: () => ({ next: () => ({ value: 1 }), return: () => ({}) }) }) break; log.push('a'); }, '1 2 a 3 4 5 6 7 8');
  await beside('next of an async generator', (log) => { (async function* () { yield 1; })().next().then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('an async generator that ends', (log) => { (async function* () {})().next().then(() => log.push('a')); }, '1 a 2 3 4 5 6 7 8');
  await beside('an async generator that returns a value', (log) => { (async function* () { return 1; })().next().then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('an async generator that throws', (log) => { (async function* () { throw 1; })().next().catch(() => log.push('a')); }, '1 a 2 3 4 5 6 7 8');
  await beside('return of one that never began', (log) => { (async function* () {})().return(1).then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('throw of one that never began', (log) => { (async function* () {})().throw(1).catch(() => log.push('a')); }, '1 a 2 3 4 5 6 7 8');
  await beside('yield of a promise', (log) => { (async function* () { yield Promise.resolve(1); })().next().then(() => log.push('a')); }, '1 2 a 3 4 5 6 7 8');
  await beside('yield* of an array', async (log) => { const g = (async function* () { yield* ['a']; })(); log.push((await g.next()).value); await g.next(); log.push('end'); }, '1 2 3 a 4 5 6 end 7 8');
  await beside('yield* of an async generator', async (log) => { const g = (async function* () { yield* (async function* () { yield 'a'; })(); })(); log.push((await g.next()).value); await g.next(); log.push('end'); }, '1 2 3 a 4 5 end 6 7 8');
  await beside('three requests at once', (log) => { const g = (async function* () { yield 'a'; yield 'b'; yield 'c'; })(); for (let i = 0; i < 3; i++) g.next().then(({ value }) => log.push(value)); }, '1 2 a 3 b 4 c 5 6 7 8');
  await beside('await in a finally block', async (log) => { try { await 0; } finally { await 0; log.push('f'); } log.push('a'); }, '1 2 f a 3 4 5 6 7 8');
  await beside('return in try with await in finally', (log) => { (async () => { try { return Promise.resolve(); } finally { await 0; } })().then(() => log.push('a')); }, '1 2 3 4 a 5 6 7 8');
  await beside('dispatch is in order of attachment', (log) => { let yes; const p = new Promise((y) => { yes = y; }); p.then(() => log.push('a')); (async () => { await p; log.push('b'); })(); p.finally(() => log.push('c')); yes(); }, '1 a b c 2 3 4 5 6 7 8');
  await beside('a rejection passes two thens', (log) => { Promise.reject().then(() => {}).then(() => {}).catch(() => log.push('a')); }, '1 2 3 a 4 5 6 7 8');
})();
