// Timers and the date under the control of a test: nothing happens until the test says that time
// passes. The global functions are replaced, and those of node:timers and node:timers/promises.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE } } = require('internal/errors');
const { validateAbortSignal, validateArray, validateNumber } = require('internal/validators');

const APIS = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait'];
// Marks a date that is one of these already.
const kMock = Symbol('MockTimers');
const CLEARS = { setTimeout: 'clearTimeout', setInterval: 'clearInterval', setImmediate: 'clearImmediate' };

function validateTime(time, name) {
  validateNumber(time, name);
  // The value and the reason are the wrong way round in Node's message too.
  if (time < 0) throw new ERR_INVALID_ARG_VALUE('time', 'positive integer', time);
}

// Where the module is not there, a program has nothing to replace either.
function timersPromises() {
  try {
    return require('timers/promises');
  } catch {
    return null;
  }
}

class Timeout {
  constructor(id, callback, runAt, interval, args) {
    this.id = id;
    this.callback = callback;
    this.runAt = runAt;
    this.interval = interval;
    this.args = args;
  }

  hasRef() {
    return true;
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }

  refresh() {
    return this;
  }
}

class MockTimers {
  #enabled = false;
  #now = 0;
  #lastId = 1;
  // Timers in the order they are due; equal times keep the order they were made.
  #queue = [];
  // Puts back what was replaced, the last first.
  #undo = [];

  enable(options = {}) {
    if (this.#enabled) throw new ERR_INVALID_STATE('MockTimers is already enabled!');
    const { apis = APIS, now = 0 } = options ?? {};
    validateArray(apis, 'options.apis');
    for (const api of apis) {
      if (!APIS.includes(api)) throw new ERR_INVALID_ARG_VALUE('options.apis', api, `option ${api} is not supported`);
    }
    const start = now instanceof Date ? now.getTime() : now;
    if (Number.isNaN(start)) throw new ERR_INVALID_ARG_VALUE('now', start, `epoch must be a positive integer received ${start}`);
    validateTime(start, 'initialTime');
    if (apis.includes('Date') && globalThis.Date[kMock]) throw new ERR_INVALID_STATE('Date is already being mocked!');
    this.#now = start;
    this.#enabled = true;
    for (const api of new Set(apis)) {
      if (api === 'Date') this.#replace(globalThis, 'Date', this.#createDate());
      else if (api === 'scheduler.wait') this.#replaceWait();
      else this.#replaceTimer(api);
    }
  }

  tick(time = 1) {
    this.#assertEnabled();
    validateTime(time, 'time');
    this.#now += time;
    for (let timer = this.#queue[0]; timer !== undefined && timer.runAt <= this.#now; timer = this.#queue[0]) {
      timer.callback.apply(undefined, timer.args);
      // A timer that throws stays, and one that cleared itself is gone already.
      if (!this.#remove(timer) || timer.interval === undefined) continue;
      timer.runAt += timer.interval;
      this.#insert(timer);
    }
  }

  setTime(time = 0) {
    validateTime(time, 'time');
    this.#assertEnabled();
    this.#now = time;
  }

  runAll() {
    this.#assertEnabled();
    const last = this.#queue.at(-1);
    if (last !== undefined) this.tick(Math.max(last.runAt - this.#now, 0));
  }

  reset() {
    if (!this.#enabled) return;
    while (this.#undo.length > 0) this.#undo.pop()();
    this.#queue = [];
    this.#enabled = false;
    this.#now = 0;
    this.#lastId = 1;
  }

  [Symbol.for('nodejs.dispose')]() {
    this.reset();
  }

  #assertEnabled() {
    if (!this.#enabled) throw new ERR_INVALID_STATE('You should enable MockTimers first by calling the .enable function');
  }

  #replace(object, name, value) {
    const before = Object.getOwnPropertyDescriptor(object, name);
    const enumerable = before?.enumerable ?? true;
    Object.defineProperty(object, name, { __proto__: null, configurable: true, enumerable, writable: true, value });
    this.#undo.push(() => {
      if (before === undefined) delete object[name];
      else Object.defineProperty(object, name, before);
    });
  }

  #replaceTimer(api) {
    const set = {
      setTimeout: (callback, delay, ...args) => this.#create(callback, this.#now + (Number(delay) || 0), undefined, args),
      setInterval: (callback, delay, ...args) => {
        const interval = Number(delay) || 1;
        return this.#create(callback, this.#now + interval, interval, args);
      },
      // An immediate is due before anything else.
      setImmediate: (callback, ...args) => this.#create(callback, this.#now - 1, undefined, args),
    }[api];
    const clear = (timer) => this.#clear(timer);
    for (const object of [globalThis, require('timers')]) {
      this.#replace(object, api, set);
      this.#replace(object, CLEARS[api], clear);
    }
    const promises = timersPromises();
    if (promises !== null) this.#replace(promises, api, this.#promised(api));
  }

  #replaceWait() {
    const scheduler = timersPromises()?.scheduler;
    // What is wrong with its options is told by the promise.
    const wait = async (delay, options) => this.#promise(this.#now + (Number(delay) || 0), undefined, options);
    if (scheduler !== undefined) this.#replace(scheduler, 'wait', wait);
  }

  #promised(api) {
    if (api === 'setInterval') return (delay, result, options) => this.#intervals(Number(delay) || 1, result, options);
    if (api === 'setImmediate') return (result, options) => this.#promise(this.#now - 1, result, options);
    return (delay, result, options) => this.#promise(this.#now + (Number(delay) || 0), result, options);
  }

  #promise(runAt, result, options) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const { signal } = options ?? {};
    validateAbortSignal(signal, 'options.signal');
    if (signal?.aborted) return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
    const abort = () => {
      this.#clear(timer);
      reject(new AbortError(undefined, { cause: signal.reason }));
    };
    const timer = this.#create(() => {
      signal?.removeEventListener('abort', abort);
      resolve(result);
    }, runAt, undefined, []);
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  }

  // Counts what time has brought and nobody has asked for yet.
  async * #intervals(delay, result, options) {
    const { signal } = options ?? {};
    validateAbortSignal(signal, 'options.signal');
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
    let brought = 0;
    let wake = null;
    const timer = this.#create(() => {
      brought++;
      wake?.();
    }, this.#now + delay, delay, []);
    const abort = () => wake?.();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      while (true) {
        if (brought === 0 && !signal?.aborted) await new Promise((resolve) => { wake = resolve; });
        wake = null;
        if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
        for (; brought > 0; brought--) yield result;
      }
    } finally {
      this.#clear(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #createDate() {
    const RealDate = Date;
    const now = () => this.#now;
    const mock = { Date: function(...args) {
      if (new.target === undefined) return new RealDate(now()).toString();
      return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, new.target);
    } }.Date;
    Object.defineProperties(mock, {
      length: { configurable: true, value: 7 },
      now: { configurable: true, writable: true, value: { now }.now },
      parse: { configurable: true, writable: true, value: RealDate.parse },
      UTC: { configurable: true, writable: true, value: RealDate.UTC },
      prototype: { value: RealDate.prototype },
    });
    mock.toString = function toString() {
      return Function.prototype.toString.call(RealDate);
    };
    mock.isMock = true;
    mock[kMock] = true;
    return mock;
  }

  #create(callback, runAt, interval, args) {
    const timer = new Timeout(this.#lastId++, callback, runAt, interval, args);
    this.#insert(timer);
    return timer;
  }

  #insert(timer) {
    let at = this.#queue.length;
    while (at > 0 && this.#queue[at - 1].runAt > timer.runAt) at--;
    this.#queue.splice(at, 0, timer);
  }

  #remove(timer) {
    const at = this.#queue.indexOf(timer);
    if (at >= 0) this.#queue.splice(at, 1);
    return at >= 0;
  }

  #clear(timer) {
    if (typeof timer === 'object' && timer !== null) this.#remove(timer);
  }
}

module.exports = { MockTimers };
