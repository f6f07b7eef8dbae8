// ECMA-262 27.2.4: all, allSettled, any and race.
const { same, rejects } = require('./support/check.cjs');

const later = (value, ms = 1) => new Promise((yes) => setTimeout(yes, ms, value));
const failing = (reason, ms = 1) => new Promise((_, no) => setTimeout(no, ms, reason));
const combinators = ['all', 'allSettled', 'any', 'race'];

(async () => {
  same('all', await Promise.all([1, Promise.resolve(2), later(3), { then(yes) { yes(4); } }]), [1, 2, 3, 4]);
  same('all keeps the order', await Promise.all([later('slow', 5), later('fast', 1)]), ['slow', 'fast']);
  same('all of nothing', await Promise.all([]), []);
  same('all of a text', await Promise.all('ab'), ['a', 'b']);
  same('all of a generator', await Promise.all((function* () { yield 1; yield later(2); })()), [1, 2]);
  await rejects('all fails with the first', Promise.all([later(1, 9), failing('second', 1), failing('third', 5)]), 'second');
  same('all gives an array of this realm', Array.isArray(await Promise.all([])), true);
  same('allSettled', await Promise.allSettled([1, Promise.reject(2), later(3)]), [
    { status: 'fulfilled', value: 1 }, { status: 'rejected', reason: 2 }, { status: 'fulfilled', value: 3 }]);
  same('allSettled of nothing', await Promise.allSettled([]), []);
  same('order of keys', Object.keys((await Promise.allSettled([Promise.reject()]))[0]), ['status', 'reason']);
  same('any', await Promise.any([Promise.reject(1), later(2), later(3, 9)]), 2);
  const none = await Promise.any([Promise.reject(1), failing(2)]).catch((e) => e);
  same('any fails', [none instanceof AggregateError, none.errors], [true, [1, 2]]);
  const errors = Object.getOwnPropertyDescriptor(none, 'errors');
  same('its errors are a plain property', [errors.writable, errors.enumerable, errors.configurable], [true, false, true]);
  same('any of nothing', (await Promise.any([]).catch((e) => e)).errors, []);
  same('race', await Promise.race([later('slow', 9), later('fast', 1)]), 'fast');
  await rejects('race fails', Promise.race([later('slow', 9), failing('fast', 1)]), 'fast');
  same('race takes what is no promise', await Promise.race([later(1), 2]), 2);
  same('race of nothing waits for ever', await Promise.race([Promise.race([]), later('other')]), 'other');

  for (const name of combinators) {
    const combine = (...args) => Promise[name](...args);
    await rejects(`${name} of what is not iterable`, combine(5), TypeError);
    await rejects(`${name} of nothing at all`, combine(), TypeError);
    await rejects(`${name}: an iterator that throws`, combine({ [Symbol.iterator]() { throw 'i'; } }), 'i');
    const closed = [];
    const iterable = (next) => ({ [Symbol.iterator]: () => ({ next, return() { closed.push(name); return {}; } }) });
    await rejects(`${name}: next throws`, combine(iterable(() => { throw 'n'; })), 'n');
    same(`${name}: is not closed then`, closed, []);
    const { resolve } = Promise;
    Promise.resolve = () => { throw 'r'; };
    const broken = combine(iterable(() => ({ value: 1, done: false })));
    Promise.resolve = 5;
    const uncallable = combine([]);
    let reads = 0;
    Object.defineProperty(Promise, 'resolve', { configurable: true, get() { reads++; return resolve; } });
    const read = combine([1, 2, 3]);
    Object.defineProperty(Promise, 'resolve', { value: resolve, writable: true });
    await rejects(`${name}: resolve throws`, broken, 'r');
    same(`${name}: is closed then`, closed, [name]);
    await rejects(`${name}: resolve is no function`, uncallable, TypeError);
    await read;
    same(`${name}: resolve is read once`, reads, 1);
    const seen = [];
    const odd = Promise.resolve(1);
    odd.then = (...args) => { seen.push(args.length, ...args.map((f) => typeof f)); args[0]('from then'); };
    const result = await combine([odd]);
    same(`${name}: then is called on each`, seen, [2, 'function', 'function']);
    same(`${name}: with what it says`, [result].flat()[0].value ?? [result].flat()[0], 'from then');
    let error;
    try { Promise[name].call(undefined, []); } catch (e) { error = e; }
    same(`${name} without a constructor`, error instanceof TypeError, true);
  }

  let element;
  const twice = await Promise.all([{ then(yes) { element = yes; yes('first'); yes('second'); } }, later(2)]);
  same('all: a second value is ignored', twice, ['first', 2]);
  element('third');
  same('all: and a late one', twice, ['first', 2]);
  same('all: element functions', [element.name, element.length], ['', 1]);
  same('all settles when the last does', await (async () => {
    const log = [];
    const p = Promise.all([later(1, 1), later(2, 4)]).then(() => log.push('all'));
    await later(0, 2);
    log.push('between');
    await p;
    return log;
  })(), ['between', 'all']);
  same('allSettled: both functions of one element, the first counts', (await Promise.allSettled([{ then(yes, no) { no('n'); yes('y'); } }]))[0].status, 'rejected');
  same('nested', await Promise.all([Promise.all([1, later(2)]), Promise.race([3])]), [[1, 2], 3]);
  same('a thousand', (await Promise.all(Array.from({ length: 1000 }, (_, n) => n % 2 ? n : Promise.resolve(n)))).reduce((a, b) => a + b), 499500);
})().catch((error) => console.log('failed', error));
