// Time that tests move themselves: jest.useFakeTimers, vi.useFakeTimers. It is a clock of the test's own: what it
// brings runs within the call that moves it, so that no schedule changes its order. What comes from outside between
// such calls is the machine's.
'use strict';

const process = require('internal/process');
const project = require('internal/suite/project');
const timersModule = require('timers');

const RealDate = Date;
const NAMES = [
  'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date', 'performance', 'hrtime',
  'nextTick', 'queueMicrotask',
];
// vitest leaves these two alone unless they are named.
const LEFT = ['nextTick', 'queueMicrotask'];
const MOST = 100_000;

// The clock that runs now, or null.
let clock = null;

class Timer {
  constructor(owner, id) {
    Object.defineProperty(this, 'owner', { __proto__: null, value: owner });
    this.id = id;
    this.isReferred = true;
  }

  ref() { this.isReferred = true; return this; }

  unref() { this.isReferred = false; return this; }

  hasRef() { return this.isReferred; }

  refresh() { this.owner.refresh(this.id); return this; }

  close() { this.owner.clear(this); return this; }

  [Symbol.toPrimitive]() { return this.id; }

  [Symbol.dispose]() { this.owner.clear(this); }
}

class Clock {
  constructor(options, isVitest) {
    this.isVitest = isVitest;
    this.elapsed = 0;
    // What the date is ahead of that; nothing as long as nobody has asked.
    this.ahead = undefined;
    if (options.now !== undefined) this.now = options.now;
    // Whoever tries every order looks at the clock only for those who ask for the date.
    else if (!project.settings.explore) this.ahead = RealDate.now();
    this.isFiring = false;
    this.timers = new Map();
    this.ticks = [];
    this.nextId = 1_000_000;
    this.order = 0;
    this.limit = options.timerLimit ?? options.loopLimit ?? MOST;
    this.undo = [];
  }

  get now() {
    this.ahead ??= RealDate.now();
    return this.elapsed + this.ahead;
  }

  set now(value) {
    this.ahead = (this.isVitest ? toMillis(value) : epoch(value)) - this.elapsed;
  }

  add(kind, callback, delay, args) {
    if (typeof callback !== 'function') {
      throw callback === undefined ? new Error('Callback must be provided to timer calls') :
        new TypeError(`[ERR_INVALID_CALLBACK]: Callback must be a function. Received ${callback} of type ${typeof callback}`);
    }
    const number = Math.trunc(Number(delay));
    // What is to come at once does not come at the same moment as what asked for it, so that time goes on.
    const least = kind === 'interval' || this.isFiring ? 1 : 0;
    const wait = kind === 'immediate' ? least : Math.max(number > 0 && number <= 2 ** 31 - 1 ? number : 0, least);
    const id = this.nextId++;
    const timer = new Timer(this, id);
    this.timers.set(id, { args, at: this.elapsed + wait, callback, delay: wait, id, kind, order: this.order++, timer });
    return timer;
  }

  clear(timer, isImmediate) {
    if (timer === undefined || timer === null) return;
    const entry = this.timers.get(typeof timer === 'object' ? timer.id : Number(timer));
    if (entry === undefined) return;
    if (isImmediate !== undefined && isImmediate !== (entry.kind === 'immediate')) {
      const { kind } = entry;
      const [made, cleared] = [`set${kind[0].toUpperCase()}${kind.slice(1)}`, isImmediate ? 'clearImmediate' : 'clearTimeout'];
      throw new Error(`Cannot clear timer: timer created with ${made}() but cleared with ${cleared}()`);
    }
    this.timers.delete(entry.id);
  }

  refresh(id) {
    const entry = this.timers.get(id);
    if (entry !== undefined) entry.at = this.elapsed + entry.delay;
  }

  // The next one until a moment. Immediates come before timers of the same moment.
  next(until = Infinity) {
    let found;
    for (const entry of this.timers.values()) {
      if (entry.at > until) continue;
      if (found === undefined || entry.at < found.at || (entry.at === found.at && rank(entry) < rank(found)) ||
        (entry.at === found.at && rank(entry) === rank(found) && entry.order < found.order)) found = entry;
    }
    return found;
  }

  move(to) {
    if (to > this.elapsed) this.elapsed = to;
  }

  fire(entry) {
    this.move(entry.at);
    if (entry.kind === 'interval') {
      entry.at += entry.delay;
      entry.order = this.order++;
    } else {
      this.timers.delete(entry.id);
    }
    const before = this.isFiring;
    this.isFiring = true;
    try {
      entry.callback(...entry.args);
      this.runTicks();
    } finally {
      this.isFiring = before;
    }
  }

  // Fires what is due until a moment, also after one has thrown; that is thrown in the end. A callback that moves time
  // itself moves that moment, too.
  * due(until) {
    const thrown = [];
    this.runTicks();
    for (let entry = this.next(until); entry !== undefined; entry = this.next(until)) {
      const { at } = entry;
      try {
        this.fire(entry);
      } catch (error) {
        thrown.push(error);
      }
      if (this.elapsed > at) until += this.elapsed - at;
      yield;
    }
    this.move(until);
    if (thrown.length > 0) throw thrown[0];
  }

  runTicks() {
    for (let count = 0; this.ticks.length > 0; count++) {
      if (count > this.limit) throw this.endless('ticks');
      const { args, fn } = this.ticks.shift();
      fn(...args);
    }
  }

  endless(what) {
    return new Error(`Aborting after running ${this.limit} ${what}, assuming an infinite loop!`);
  }

  advance(ms) {
    const steps = this.due(this.elapsed + forward(ms));
    while (!steps.next().done);
  }

  async advanceAsync(ms) {
    const by = forward(ms);
    await settled();
    const steps = this.due(this.elapsed + by);
    while (!steps.next().done) await settled();
    await settled();
  }

  runAll() {
    this.runTicks();
    for (let count = 0; this.timers.size > 0; count++) {
      if (count >= this.limit) throw this.endless('timers');
      this.fire(this.next());
    }
  }

  async runAllAsync() {
    await settled();
    this.runTicks();
    for (let count = 0; this.timers.size > 0; count++) {
      if (count >= this.limit) throw this.endless('timers');
      this.fire(this.next());
      await settled();
    }
  }

  pending() {
    return Math.max(this.elapsed, ...[...this.timers.values()].map(({ at }) => at));
  }

  runPending() {
    this.runTicks();
    this.advance(this.pending() - this.elapsed);
  }

  async runPendingAsync() {
    await this.advanceAsync(this.pending() - this.elapsed);
  }

  toNext(steps = 1) {
    for (let step = 0; step < steps; step++) {
      const entry = this.next();
      if (entry === undefined) return;
      const { at } = entry;
      for (let same = this.next(at); same !== undefined; same = this.next(at)) this.fire(same);
    }
  }

  async toNextAsync(steps = 1) {
    for (let step = 0; step < steps; step++) {
      await settled();
      const entry = this.next();
      if (entry === undefined) return;
      const { at } = entry;
      for (let same = this.next(at); same !== undefined; same = this.next(at)) {
        this.fire(same);
        await settled();
      }
    }
  }
}

const rank = (entry) => (entry.kind === 'immediate' ? 0 : 1);
// What jest takes for a date.
function epoch(value) {
  if (!value) return 0;
  if (typeof value.getTime === 'function') return value.getTime();
  if (typeof value === 'number') return value;
  throw new TypeError('now should be milliseconds since UNIX epoch');
}

function forward(ms) {
  const by = toMillis(ms);
  if (by < 0) throw new TypeError('Negative ticks are not supported');
  return by;
}

const toMillis = (value) => (value instanceof RealDate ? value.getTime() : typeof value === 'string' ? RealDate.parse(value) : Number(value));

// What promises have to do before the next timer is done: a turn of the real loop.
const { setImmediate: realImmediate } = require('internal/timers');
const settled = () => new Promise((resolve) => { realImmediate(resolve); });

function fakeDate(own) {
  function FakeDate(...args) {
    if (new.target === undefined) return new RealDate(own.now).toString();
    const made = args.length === 0 ? [own.now] : args;
    return Reflect.construct(RealDate, made, new.target === FakeDate ? RealDate : new.target);
  }
  Object.defineProperties(FakeDate, {
    name: { configurable: true, value: 'Date' },
    length: { configurable: true, value: 7 },
    prototype: { value: RealDate.prototype, writable: false },
  });
  FakeDate.now = () => Math.floor(own.now);
  FakeDate.UTC = RealDate.UTC;
  FakeDate.parse = RealDate.parse;
  FakeDate.isFake = true;
  return FakeDate;
}

function put(own, object, name, value) {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { configurable: true, enumerable: before?.enumerable ?? true, writable: true, value });
  own.undo.push(() => {
    if (before === undefined) delete object[name];
    else Object.defineProperty(object, name, before);
  });
}

const FAKES = {
  setTimeout: (own) => (callback, delay, ...args) => own.add('timeout', callback, delay, args),
  setInterval: (own) => (callback, delay, ...args) => own.add('interval', callback, delay, args),
  setImmediate: (own) => (callback, ...args) => own.add('immediate', callback, 0, args),
  clearTimeout: (own) => (timer) => own.clear(timer, false),
  clearInterval: (own) => (timer) => own.clear(timer, false),
  clearImmediate: (own) => (timer) => own.clear(timer, true),
};

function install(own, names) {
  for (const [name, make] of Object.entries(FAKES)) {
    if (!names.has(name)) continue;
    const fake = Object.defineProperty(make(own), 'name', { configurable: true, value: name });
    put(own, globalThis, name, fake);
    put(own, timersModule, name, fake);
  }
  if (names.has('Date')) {
    const fake = fakeDate(own);
    put(own, globalThis, 'Date', fake);
    put(own, RealDate.prototype, 'constructor', fake);
  }
  if (names.has('performance')) {
    const { performance } = require('internal/performance');
    put(own, performance, 'now', () => own.elapsed);
  }
  if (names.has('hrtime')) {
    const hrtime = (before) => {
      const [seconds, nanos] = [Math.floor(own.elapsed / 1000), Math.round((own.elapsed % 1000) * 1e6)];
      if (before === undefined) return [seconds, nanos];
      const difference = (seconds - before[0]) * 1e9 + nanos - before[1];
      return [Math.floor(difference / 1e9), difference % 1e9];
    };
    hrtime.bigint = () => BigInt(Math.round(own.elapsed * 1e6));
    put(own, process, 'hrtime', hrtime);
  }
  const later = (fn, ...args) => { own.ticks.push({ args, fn }); };
  if (names.has('nextTick')) put(own, process, 'nextTick', later);
  if (names.has('queueMicrotask')) put(own, globalThis, 'queueMicrotask', later);
}

function useFakeTimers(options = {}, isVitest = false) {
  const given = typeof options === 'object' && options !== null ? options : {};
  // vitest goes on with the clock that there is.
  if (isVitest && clock !== null && !clock.isDateOnly) return;
  useRealTimers();
  clock = new Clock(given, isVitest);
  const wanted = given.toFake ?? NAMES.filter((name) => !isVitest || !LEFT.includes(name));
  const left = given.doNotFake ?? given.toNotFake ?? [];
  install(clock, new Set(wanted.filter((name) => !left.includes(name))));
  const own = clock;
  if (given.advanceTimers || given.shouldAdvanceTime) {
    const step = typeof given.advanceTimers === 'number' ? given.advanceTimers : given.advanceTimeDelta ?? 20;
    const { setInterval, clearInterval } = require('internal/timers');
    const ticking = setInterval(() => own.advance(step), step);
    ticking.unref();
    own.undo.push(() => clearInterval(ticking));
  }
}

function useRealTimers() {
  if (clock === null) return;
  for (const undo of clock.undo.reverse()) undo();
  clock = null;
}

// Does something with the clock. jest only warns where there is none.
function demanded(act, isVitest) {
  if (clock !== null && !clock.isDateOnly) return act(clock);
  if (isVitest) throw new Error('Timers are not mocked. Try calling "vi.useFakeTimers()" first.');
  globalThis.console.warn('the timers are not fake, so that nothing moves them: call jest.useFakeTimers() first');
  return undefined;
}

function setSystemTime(now, isVitest) {
  if (isVitest && clock === null) {
    clock = new Clock({}, true);
    clock.isDateOnly = true;
    install(clock, new Set(['Date']));
  }
  if (clock === null) demanded(() => {}, false);
  else clock.now = now ?? 0;
}

module.exports = {
  isDateFake: () => clock !== null,
  isFake: () => clock !== null && !clock.isDateOnly,
  useFakeTimers,
  useRealTimers,
  /// By jest's and vitest's names.
  methods(isVitest) {
    const on = (act) => (...args) => demanded((own) => act(own, ...args), isVitest);
    return {
      advanceTimersByTime: on((own, ms) => own.advance(ms)),
      advanceTimersByTimeAsync: on((own, ms) => own.advanceAsync(ms)),
      advanceTimersToNextFrame: on((own, steps = 1) => own.advance(steps * 16)),
      advanceTimersToNextTimer: on((own, steps) => own.toNext(isVitest ? 1 : steps)),
      advanceTimersToNextTimerAsync: on((own, steps) => own.toNextAsync(isVitest ? 1 : steps)),
      clearAllTimers() {
        clock?.timers.clear();
        if (clock !== null) clock.ticks = [];
      },
      getRealSystemTime: () => RealDate.now(),
      getTimerCount: () => demanded((own) => own.timers.size + own.ticks.length, isVitest) ?? 0,
      now: () => (clock === null ? RealDate.now() : clock.now),
      runAllImmediates: on((own) => {
        for (const entry of [...own.timers.values()]) if (entry.kind === 'immediate') own.fire(entry);
      }),
      runAllTicks: on((own) => own.runTicks()),
      runAllTimers: on((own) => own.runAll()),
      runAllTimersAsync: on((own) => own.runAllAsync()),
      runOnlyPendingTimers: on((own) => own.runPending()),
      runOnlyPendingTimersAsync: on((own) => own.runPendingAsync()),
      setSystemTime: (now) => setSystemTime(now, isVitest),
    };
  },
};
