// Random async programs in which every callback knows by an argument which stores it should see, and looks
// whether it does: AsyncLocalStorage against a value that is passed by hand.
//
//     carried.cjs SEED COUNT
//
// Prints how often it looked and, for each failure, the seed and the way to it. It is silent about anything
// else, so that what it prints does not depend on the order of events.
'use strict';

const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const { EventEmitter, once } = require('events');
const fs = require('fs');

const [first, count] = process.argv.slice(2).map(Number);
const one = new AsyncLocalStorage();
const two = new AsyncLocalStorage();
let looked = 0;
let failures = 0;
let values = 0;

class Program {
  constructor(seed) {
    this.seed = seed;
    this.state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
    this.budget = 60;
    // Promises that are settled from somewhere, in whatever context that is.
    this.pool = Array.from({ length: 6 }, () => {
      const entry = {};
      entry.promise = new Promise((resolve, reject) => { Object.assign(entry, { resolve, reject }); });
      entry.promise.catch(() => {});
      return entry;
    });
    this.emitter = new EventEmitter();
    this.emitter.setMaxListeners(0);
  }

  below(limit) {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % limit;
  }

  // What a callback does is settled when it is attached: the order in which callbacks run is not ours.
  plan(depth) {
    const steps = [];
    const many = 1 + this.below(3);
    for (let i = 0; i < many && this.budget > 0 && depth < 6; i++) {
      this.budget -= 1;
      const names = Object.keys(kinds);
      steps.push({ kind: names[this.below(names.length)], number: this.below(1000), inner: this.plan(depth + 1), other: this.plan(depth + 2) });
    }
    return steps;
  }

  look(stores, way) {
    looked += 1;
    const [a, b] = stores;
    if (one.getStore() === a && two.getStore() === b) return;
    failures += 1;
    console.log(`seed ${this.seed} at ${way}: has ${one.getStore()} ${two.getStore()}, should have ${a} ${b}`);
  }

  // Does all steps, in an async function that waits between some of them.
  async act(steps, stores, way) {
    this.look(stores, way);
    for (const [at, step] of steps.entries()) {
      const here = `${way}/${at}:${step.kind}`;
      const waits = kinds[step.kind](this, step, stores, here);
      if (waits !== undefined) await waits;
      this.look(stores, `${here}!`);
    }
  }

  // The same as a callback: nobody waits for it.
  go(steps, stores, way) {
    this.act(steps, stores, way).catch((error) => { failures += 1; console.log(`seed ${this.seed} at ${way}: ${error.stack}`); });
  }
}

const kinds = {
  run(program, { inner }, [, b], way) { const value = ++values; one.run(value, () => program.go(inner, [value, b], way)); },
  runTwo(program, { inner }, [a], way) { const value = ++values; two.run(value, () => program.go(inner, [a, value], way)); },
  runAsync(program, { inner }, [, b], way) { const value = ++values; return one.run(value, () => program.act(inner, [value, b], way)); },
  exit(program, { inner }, [, b], way) { one.exit(() => program.go(inner, [undefined, b], way)); },
  enter(program, { inner }, [, b], way) {
    const value = ++values;
    setImmediate(() => { one.enterWith(value); program.go(inner, [value, b], way); });
  },
  timeout(program, { inner, number }, stores, way) { setTimeout(() => program.go(inner, stores, way), number % 7); },
  interval(program, { inner, number }, stores, way) {
    let times = 0;
    const timer = setInterval(() => { if (++times === 2) clearInterval(timer); program.go(times === 1 ? inner : [], stores, way); }, number % 5);
  },
  immediate(program, { inner }, stores, way) { setImmediate(() => program.go(inner, stores, way)); },
  tick(program, { inner }, stores, way) { process.nextTick(() => program.go(inner, stores, way)); },
  microtask(program, { inner }, stores, way) { queueMicrotask(() => program.go(inner, stores, way)); },
  then(program, { inner, number }, stores, way) { program.pool[number % 6].promise.then(() => program.go(inner, stores, way), () => program.go(inner, stores, way)); },
  chain(program, { inner, other }, stores, way) { Promise.resolve().then(() => program.act(other, stores, `${way}a`)).then(() => program.go(inner, stores, `${way}b`)); },
  catch(program, { inner }, stores, way) { Promise.reject(new Error('expected')).catch(() => program.go(inner, stores, way)); },
  finally(program, { inner, number }, stores, way) { program.pool[number % 6].promise.finally(() => program.go(inner, stores, way)).catch(() => {}); },
  settle(program, { number }) { const { resolve, reject } = program.pool[number % 6]; (number % 3 === 0 ? reject : resolve)(number); },
  settleWithPromise(program, { number }) { program.pool[number % 6].resolve(new Promise((resolve) => setTimeout(resolve, number % 4))); },
  wait(program, { number }) { return program.pool[number % 6].promise.then(() => {}, () => {}); },
  waitAndCatch(program, { number, inner }, stores, way) {
    return (async () => {
      try {
        await program.pool[number % 6].promise;
        program.look(stores, `${way} went on`);
      } catch {
        program.look(stores, `${way} failed`);
      } finally {
        program.look(stores, `${way} finally`);
        await null;
        program.look(stores, `${way} waited in finally`);
      }
      program.go(inner, stores, way);
    })();
  },
  value() { return (async () => { await 1; await undefined; })(); },
  thenable(program, { inner }, stores, way) { return { then(resolve) { program.go(inner, stores, way); resolve(); } }; },
  thenableReturned(program, { inner }, stores, way) { return (async () => ({ then(resolve) { program.go(inner, stores, way); setTimeout(resolve, 1); } }))(); },
  thenableFromThen(program, { inner }, stores, way) { return Promise.resolve().then(() => ({ then(resolve) { program.go(inner, stores, way); resolve(); } })); },
  all(program, { inner, number }, stores, way) { Promise.all([1, program.pool[number % 6].promise, { then(r) { r(); } }]).then(() => program.go(inner, stores, way), () => program.look(stores, way)); },
  race(program, { inner, number }, stores, way) { Promise.race([program.pool[number % 6].promise, program.pool[(number + 1) % 6].promise]).then(() => program.go(inner, stores, way), () => program.look(stores, way)); },
  any(program, { inner, number }, stores, way) { Promise.any([program.pool[number % 6].promise, program.pool[(number + 1) % 6].promise]).then(() => program.go(inner, stores, way), () => program.look(stores, way)); },
  allSettled(program, { inner, number }, stores, way) { Promise.allSettled([program.pool[number % 6].promise, new Promise((r) => setTimeout(r, 2))]).then(() => program.go(inner, stores, way)); },
  forAwait(program, { inner, number }, stores, way) {
    const value = ++values;
    async function* source() { yield 1; await new Promise((resolve) => setTimeout(resolve, number % 3)); yield 2; }
    const items = one.run(value, source);
    return (async () => {
      for await (const item of items) {
        program.look(stores, `${way} item ${item}`);
        if (number % 2 === 0) await null;
        program.look(stores, `${way} item ${item} after a wait`);
      }
      program.go(inner, stores, way);
    })();
  },
  forAwaitPromises(program, { inner, number }, stores, way) {
    return (async () => {
      for await (const item of [1, new Promise((resolve) => setTimeout(() => resolve(2), number % 3))]) program.look(stores, `${way} item ${item}`);
      program.go(inner, stores, way);
    })();
  },
  generator(program, { inner, number }, stores, way) {
    // Its code belongs to who asks for the next value.
    async function* source(own) { program.look(own, `${way} began`); await null; program.look(own, `${way} waited`); yield 1; }
    return (async () => { const items = source(stores); await items.next(); program.look(stores, `${way} got one`); await items.next(); program.go(inner, stores, way); })();
  },
  emit(program, { inner }, stores, way) {
    const name = `event ${++values}`;
    one.run(0, () => program.emitter.once(name, (steps, own) => program.go(steps, own, way)));
    program.emitter.emit(name, inner, stores);
  },
  once(program, { inner, number }, stores, way) {
    const emitter = new EventEmitter();
    const came = once(emitter, 'x');
    one.run(0, () => setTimeout(() => emitter.emit('x'), number % 3));
    return came.then(() => program.go(inner, stores, way));
  },
  resource(program, { inner, other, number }, [a, b], way) {
    const value = ++values;
    const resource = one.run(value, () => new AsyncResource('Test'));
    setTimeout(() => resource.runInAsyncScope(() => program.go(inner, [value, b], way)), number % 3);
    program.go(other, [a, b], `${way}b`);
  },
  bind(program, { inner }, [, b], way) { const value = ++values; const bound = one.run(value, () => AsyncLocalStorage.bind(() => program.go(inner, [value, b], way))); setImmediate(bound); },
  snapshot(program, { inner }, [a, b], way) { const snapshot = AsyncLocalStorage.snapshot(); one.run(++values, () => two.run(++values, () => snapshot(() => program.go(inner, [a, b], way)))); },
  stat(program, { inner }, stores, way) { fs.stat('/', () => program.go(inner, stores, way)); },
  statPromise() { return fs.promises.stat('/'); },
  access(program, { inner }, stores, way) { fs.promises.access('/does/not/exist').catch(() => program.go(inner, stores, way)); },
  dynamicImport(program, { inner }, stores, way) { import('node:path').then(() => program.go(inner, stores, way)); },
  target(program, { inner }, stores, way) { const target = new EventTarget(); one.run(0, () => target.addEventListener('x', () => program.go(inner, stores, way))); target.dispatchEvent(new Event('x')); },
  timersPromise() { return require('timers/promises').setTimeout(1); },
};

for (let seed = first; seed < first + count; seed++) {
  const program = new Program(seed);
  program.go(program.plan(0), [undefined, undefined], '');
  program.look([undefined, undefined], 'after');
  // Whatever was not settled is, in the end.
  setTimeout(() => { for (const { resolve } of program.pool) resolve(0); }, 40);
}
process.on('exit', () => console.log(failures === 0 ? `looked ${looked} times` : `${failures} of ${looked} failed`));
