// Random async programs in which every callback knows by an argument which level it should have, and looks
// whether it does: levels that are inherited by link (rule PRIO-2) against a level that is passed by hand.
//
//     levels.cjs SEED COUNT [chains]
//
// With `chains` the program asks for its own chains, too, which takes another way through the runtime.
// Prints how often it looked and, for each failure, the seed and the way to it.
'use strict';

const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const { EventEmitter, once } = require('events');
const { runTask, runSchedule, runBackground, currentLevel } = require('hemiola:tasks');
const fs = require('fs');

const [first, count] = process.argv.slice(2, 4).map(Number);
const chains = process.argv[4] === 'chains' ? require('hemiola:context') : undefined;
const LEVELS = ['high', 'low', 'background'];
const PRIORITIES = { high: 'user-blocking', low: 'user-visible', background: 'background' };
let looked = 0;
let failures = 0;

class Program {
  constructor(seed) {
    this.seed = seed;
    this.state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
    this.budget = 50;
    // Promises that are settled from somewhere, at whatever level that is.
    this.pool = Array.from({ length: 5 }, () => {
      const entry = {};
      entry.promise = new Promise((resolve, reject) => { Object.assign(entry, { resolve, reject }); });
      entry.promise.catch(() => {});
      return entry;
    });
  }

  below(limit) {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % limit;
  }

  plan(depth) {
    const steps = [];
    const many = 1 + this.below(3);
    const names = Object.keys(kinds);
    for (let i = 0; i < many && this.budget > 0 && depth < 6; i++) {
      this.budget -= 1;
      // Every third step is a task, or there would be few levels.
      const kind = this.below(3) === 0 ? 'task' : names[this.below(names.length)];
      steps.push({ kind, number: this.below(1000), inner: this.plan(depth + 1) });
    }
    return steps;
  }

  look(level, way) {
    looked += 1;
    if (currentLevel() === level) return;
    failures += 1;
    console.log(`seed ${this.seed} at ${way}: has ${currentLevel()}, should have ${level}`);
  }

  async act(steps, level, way) {
    this.look(level, way);
    for (const [at, step] of steps.entries()) {
      const here = `${way}/${at}:${step.kind}`;
      const waits = kinds[step.kind](this, step, level, here);
      if (waits !== undefined) await waits;
      this.look(level, `${here}!`);
    }
  }

  go(steps, level, way) {
    this.act(steps, level, way).catch((error) => { failures += 1; console.log(`seed ${this.seed} at ${way}: ${error.stack}`); });
  }

  settler(number) {
    return this.pool[number % this.pool.length];
  }
}

const kinds = {
  task(program, { inner, number }, _, way) { const own = LEVELS[number % 3]; runTask(() => program.go(inner, own, way), own); },
  schedule(program, { inner, number }, _, way) { runSchedule(() => program.go(inner, 'high', way), number % 9); },
  // So far off that it never comes to a promotion.
  background(program, { inner }, _, way) { runBackground(() => program.go(inner, 'background', way), 1e9); },
  moved(program, { inner, number }, _, way) { const own = LEVELS[number % 3]; runTask(() => program.go(inner, own, way), 'low').setLevel(own); },
  post(program, { inner, number }, level, way) {
    const own = LEVELS[number % 3];
    const posted = scheduler.postTask(() => program.act(inner, own, way), { priority: PRIORITIES[own] });
    // One that is high and awaited it would promote it.
    return level === 'high' ? undefined : posted;
  },
  postLater(program, { inner, number }, _, way) { const own = LEVELS[number % 3]; scheduler.postTask(() => program.go(inner, own, way), { priority: PRIORITIES[own], delay: 2 }); },
  pause() { return scheduler.yield(); },
  timeout(program, { inner, number }, level, way) { setTimeout(() => program.go(inner, level, way), number % 7); },
  labelled(program, { inner, number }, level, way) { setTimeout(() => program.go(inner, level, way), number % 7, `clock ${number % 2}`); },
  interval(program, { inner, number }, level, way) {
    let times = 0;
    const timer = setInterval(() => { if (++times === 2) clearInterval(timer); program.go(times === 1 ? inner : [], level, way); }, number % 5);
  },
  immediate(program, { inner }, level, way) { setImmediate(() => program.go(inner, level, way)); },
  tick(program, { inner }, level, way) { process.nextTick(() => program.go(inner, level, way)); },
  microtask(program, { inner }, level, way) { queueMicrotask(() => program.go(inner, level, way)); },
  then(program, { inner, number }, level, way) { const go = () => program.go(inner, level, way); program.settler(number).promise.then(go, go); },
  chain(program, { inner }, level, way) { Promise.resolve().then(() => program.look(level, `${way}a`)).then(() => program.go(inner, level, `${way}b`)); },
  catch(program, { inner }, level, way) { Promise.reject(new Error('expected')).catch(() => program.go(inner, level, way)); },
  finally(program, { inner, number }, level, way) { program.settler(number).promise.finally(() => program.go(inner, level, way)).catch(() => {}); },
  settle(program, { number }) { const { resolve, reject } = program.settler(number); (number % 3 === 0 ? reject : resolve)(number); },
  settleByTask(program, { number }) { runTask(() => program.settler(number).resolve(0), LEVELS[number % 3]); },
  wait(program, { number }) { return program.settler(number).promise.then(() => {}, () => {}); },
  waitAndCatch(program, { number, inner }, level, way) {
    return (async () => {
      try {
        await program.settler(number).promise;
      } catch {
        program.look(level, `${way} failed`);
      } finally {
        program.look(level, `${way} finally`);
      }
      program.go(inner, level, way);
    })();
  },
  thenable(program, { inner }, level, way) { return { then(resolve) { program.go(inner, level, way); resolve(); } }; },
  thenableFromThen(program, { inner }, level, way) { return Promise.resolve().then(() => ({ then(resolve) { program.go(inner, level, way); resolve(); } })); },
  all(program, { inner, number }, level, way) { Promise.all([1, program.settler(number).promise]).then(() => program.go(inner, level, way), () => program.look(level, way)); },
  any(program, { inner, number }, level, way) { Promise.any([program.settler(number).promise, program.settler(number + 1).promise]).then(() => program.go(inner, level, way), () => program.look(level, way)); },
  forAwait(program, { inner, number }, level, way) {
    async function* source() { yield 1; await program.settler(number).promise.catch(() => {}); yield 2; }
    return (async () => {
      for await (const item of source()) {
        program.look(level, `${way} item ${item}`);
        if (number % 2 === 0) await null;
      }
      program.go(inner, level, way);
    })();
  },
  emit(program, { inner }, level, way) {
    // A listener runs at the level of whoever emits.
    const emitter = new EventEmitter();
    emitter.once('x', () => program.go(inner, level, way));
    emitter.emit('x');
  },
  once(program, { inner, number }, level, way) {
    const emitter = new EventEmitter();
    const came = once(emitter, 'x');
    runTask(() => emitter.emit('x'), LEVELS[number % 3]);
    return came.then(() => program.go(inner, level, way));
  },
  resource(program, { inner, number }, level, way) { const mine = new AsyncResource('Test'); runTask(() => mine.runInAsyncScope(() => program.go(inner, level, way)), LEVELS[number % 3]); },
  snapshot(program, { inner, number }, level, way) { const snapshot = AsyncLocalStorage.snapshot(); runTask(() => snapshot(() => program.go(inner, level, way)), LEVELS[number % 3]); },
  bound(program, { inner, number }, level, way) {
    if (chains === undefined) return;
    const { bindLink, bindCausal, unpack } = chains;
    const bound = bindCausal(bindLink(() => program.go(inner, level, way)));
    runTask(() => unpack(bound)(), LEVELS[number % 3]);
  },
  stat(program, { inner }, level, way) { fs.stat('/', () => program.go(inner, level, way)); },
  statPromise() { return fs.promises.stat('/'); },
  access(program, { inner }, level, way) { fs.promises.access('/does/not/exist').catch(() => program.go(inner, level, way)); },
  dynamicImport(program, { inner }, level, way) { import('node:path').then(() => program.go(inner, level, way)); },
  timersPromise() { return require('timers/promises').setTimeout(1); },
};

for (let seed = first; seed < first + count; seed++) {
  const program = new Program(seed);
  program.go(program.plan(0), 'low', '');
  program.look('low', 'after');
  // Whatever was not settled is, in the end.
  setTimeout(() => { for (const { resolve } of program.pool) resolve(0); }, 40);
}
process.on('exit', () => console.log(failures === 0 ? `looked ${looked} times` : `${failures} of ${looked} failed`));
