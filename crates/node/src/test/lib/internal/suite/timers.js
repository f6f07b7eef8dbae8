// Time that tests move themselves: jest.useFakeTimers, vi.useFakeTimers.
'use strict';

const process = require('internal/process');
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
  constructor(options) {
    this.start = toMillis(options.now ?? RealDate.now());
    this.now = this.start;
    this.elapsed = 0;
    this.timers = new Map();
    this.ticks = [];
    this.nextId = 1_000_000;
    this.order = 0;
    this.limit = options.timerLimit ?? options.loopLimit ?? MOST;
    this.undo = [];
  }

  add(kind, callback, delay, args) {
    if (typeof callback !== 'function') {
      const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
      throw new ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
    }
    const number = Number(delay);
    const wait = kind === 'immediate' ? 0 : Math.max(number > 0 && number <= 2 ** 31 - 1 ? number : 0, kind === 'interval' ? 1 : 0);
    const id = this.nextId++;
    const timer = new Timer(this, id);
    this.timers.set(id, { args, at: this.elapsed + wait, callback, delay: wait, id, kind, order: this.order++, timer });
    return timer;
  }

  clear(timer) {
    if (timer === undefined || timer === null) return;
    this.timers.delete(typeof timer === 'object' ? timer.id : Number(timer));
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
    if (to <= this.elapsed) return;
    this.now += to - this.elapsed;
    this.elapsed = to;
  }

  fire(entry) {
    this.move(entry.at);
    if (entry.kind === 'interval') {
      entry.at += entry.delay;
      entry.order = this.order++;
    } else {
      this.timers.delete(entry.id);
    }
    entry.callback(...entry.args);
    this.runTicks();
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
    const until = this.elapsed + toMillis(ms);
    this.runTicks();
    for (let entry = this.next(until); entry !== undefined; entry = this.next(until)) this.fire(entry);
    this.move(until);
  }

  async advanceAsync(ms) {
    const until = this.elapsed + toMillis(ms);
    await settled();
    this.runTicks();
    for (let entry = this.next(until); entry !== undefined; entry = this.next(until)) {
      this.fire(entry);
      await settled();
    }
    this.move(until);
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
  clearTimeout: (own) => (timer) => own.clear(timer),
  clearInterval: (own) => (timer) => own.clear(timer),
  clearImmediate: (own) => (timer) => own.clear(timer),
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
  useRealTimers();
  clock = new Clock(given);
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

function demanded() {
  if (clock === null) {
    throw new Error('the timers are not fake: call useFakeTimers() first');
  }
  return clock;
}

module.exports = {
  isFake: () => clock !== null,
  useFakeTimers,
  useRealTimers,
  /// By jest's and vitest's names.
  methods: {
    advanceTimersByTime: (ms) => demanded().advance(ms),
    advanceTimersByTimeAsync: (ms) => demanded().advanceAsync(ms),
    advanceTimersToNextFrame: (steps = 1) => demanded().advance(steps * 16),
    advanceTimersToNextTimer: (steps) => demanded().toNext(steps),
    advanceTimersToNextTimerAsync: (steps) => demanded().toNextAsync(steps),
    clearAllTimers() {
      clock?.timers.clear();
      if (clock !== null) clock.ticks = [];
    },
    getRealSystemTime: () => RealDate.now(),
    getTimerCount: () => clock === null ? 0 : clock.timers.size + clock.ticks.length,
    now: () => (clock === null ? RealDate.now() : clock.now),
    runAllImmediates() {
      const own = demanded();
      for (const entry of [...own.timers.values()]) if (entry.kind === 'immediate') own.fire(entry);
    },
    runAllTicks: () => demanded().runTicks(),
    runAllTimers: () => demanded().runAll(),
    runAllTimersAsync: () => demanded().runAllAsync(),
    runOnlyPendingTimers: () => demanded().runPending(),
    runOnlyPendingTimersAsync: () => demanded().runPendingAsync(),
    setSystemTime(now) {
      demanded().now = now === undefined ? RealDate.now() : toMillis(now);
    },
  },
};
