// hemiola:clock: a labelled logical clock as an object.
// Uses binding.clockTime, clockLag, clockUnit, setClockUnit, setClockPolicy, clockSkipped, watchClock,
// unwatchClock, setWatchdog, clearTimeout, timerInfo, now, spend.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateNumber, validateObject, validateOneOf, validateString } =
  require('internal/validators');
const { ownerOf, startLabelled, toLabel } = require('internal/timers');
const { Ticks } = require('internal/ticks');
const { atLevel, levelIn } = require('internal/levels');
const { handlers: watchdogs } = require('internal/watchdog');

const none = Object.freeze({ __proto__: null });

// What is settled for a label belongs to whoever settled it, until that clock is closed.
const policies = new Map();
const units = new Map();

function validateDuration(value, name) {
  validateNumber(value, name, 0);
  if (value === Infinity) throw new ERR_OUT_OF_RANGE(name, 'a finite number', value);
}

// Delays are whole numbers of the clock's unit; what is read from it is in milliseconds.
class Clock {
  // The label as the machine knows it.
  #name;
  // Some of them may have run; they are swept out from time to time.
  #timers = [];
  #sweepAt = 64;
  // Functions that end a pending sleep, and tickers.
  #sleeps = new Set();
  #tickers = new Set();
  #watches = new Set();
  #settledUnit;
  #closed = false;

  constructor(label, unit) {
    Object.defineProperty(this, 'label', { __proto__: null, value: label, enumerable: true });
    this.#name = toLabel(label);
    this.#settledUnit = unit;
  }

  get unit() {
    return ownerOf(this.#name) !== undefined ? 'ms' : binding.clockUnit(this.#name);
  }

  setTimeout(callback, delay, ...args) {
    validateFunction(callback, 'callback');
    return this.#keep(this.#start(callback, delay, false, args));
  }

  setInterval(callback, delay, ...args) {
    validateFunction(callback, 'callback');
    return this.#keep(this.#start(callback, delay, true, args));
  }

  clearTimeout(timer) {
    require('internal/timers').clearTimeout(timer);
  }

  clearInterval(timer) {
    require('internal/timers').clearTimeout(timer);
  }

  /// Is made good within the action at the clock's time plus `delay`; what waits for it runs in its tail.
  sleep(delay, options = none) {
    return new Promise((resolve, reject) => {
      if (delay !== undefined) validateNumber(delay, 'delay');
      validateObject(options, 'options');
      const { signal, value } = options;
      validateAbortSignal(signal, 'options.signal');
      const level = levelIn(options);
      if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
      const abort = () => end(new AbortError(undefined, { cause: signal.reason }));
      const end = (error) => {
        this.#sleeps.delete(end);
        signal?.removeEventListener('abort', abort);
        binding.clearTimeout(timer);
        if (error === undefined) resolve(value);
        else reject(error);
      };
      const timer = atLevel(level, () => this.#start(() => end(), delay, false, undefined));
      this.#sleeps.add(end);
      signal?.addEventListener('abort', abort);
    });
  }

  /// The times of the clock at every period, from the first time that one is asked for.
  ticks(period, options = none) {
    validateNumber(period, 'period');
    if (period === Infinity) throw new ERR_OUT_OF_RANGE('period', 'a finite number', period);
    validateObject(options, 'options');
    const { signal } = options;
    validateAbortSignal(signal, 'options.signal');
    const level = levelIn(options);
    this.#checkOpen();
    const ticks = new Ticks(
      (tick) => atLevel(level, () => this.#start(() => tick(this.now()), period, true, undefined)),
      signal,
      (ended) => this.#tickers.delete(ended),
    );
    if (!signal?.aborted) this.#tickers.add(ticks);
    return ticks;
  }

  now() {
    const owner = ownerOf(this.#name);
    return owner === undefined ? binding.clockTime(this.#name) : owner.now();
  }

  lag() {
    return binding.clockLag(this.#name);
  }

  /// Calls the handler with the lag before every action that is more than `ms` late.
  deadline(ms, handler) {
    return this.#watch(ms, true, handler);
  }

  /// Calls the handler with the lag when it grows beyond `ms`, once until the clock has recovered.
  onLag(ms, handler) {
    return this.#watch(ms, false, handler);
  }

  /// Lets no callback of the clock's actions run for longer than `ms`: one that does is interrupted, and the
  /// handler is the next action. Takes the place of what was set for the label before.
  watchdog(ms, handler) {
    validateNumber(ms, 'ms');
    if (!(ms > 0 && ms < Infinity)) throw new ERR_OUT_OF_RANGE('ms', 'a finite number greater than 0', ms);
    validateFunction(handler, 'handler');
    this.#checkOpen();
    const mine = { owner: this, handler };
    watchdogs.set(this.#name, mine);
    binding.setWatchdog(this.#name, ms);
    const remove = () => this.#removeWatchdog(mine);
    return { remove, [Symbol.dispose]: remove };
  }

  #removeWatchdog(one) {
    if (one === undefined || watchdogs.get(this.#name) !== one) return;
    watchdogs.delete(this.#name);
    binding.setWatchdog(this.#name, undefined);
  }

  /// Sets what becomes of missed periods; without an argument, says what does.
  policy(name = undefined) {
    if (name === undefined) return policies.get(this.label)?.name ?? 'all';
    validateOneOf(name, 'name', ['all', 'skip', 'latest']);
    this.#checkOpen();
    if (name !== 'all' && ownerOf(this.#name) !== undefined) {
      throw new ERR_INVALID_STATE(`the clock '${this.label}' belongs to a federation, which leaves no period out`);
    }
    policies.set(this.label, { owner: this, name });
    binding.setClockPolicy(this.#name, name);
    return name;
  }

  /// How many invocations the policy has dropped.
  skipped() {
    return binding.clockSkipped(this.#name);
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const timer of this.#timers) binding.clearTimeout(timer);
    this.#timers = [];
    for (const end of this.#sleeps) end(new AbortError());
    for (const ticks of this.#tickers) ticks.close();
    for (const watch of this.#watches) binding.unwatchClock(this.#name, watch);
    this.#watches.clear();
    const watchdog = watchdogs.get(this.#name);
    if (watchdog?.owner === this) this.#removeWatchdog(watchdog);
    if (policies.get(this.label)?.owner === this) {
      policies.delete(this.label);
      binding.setClockPolicy(this.#name, undefined);
    }
    if (this.#settledUnit !== undefined) {
      const settled = units.get(this.label);
      if (--settled.clocks === 0) {
        units.delete(this.label);
        binding.setClockUnit(this.#name, undefined);
      }
    }
  }

  [Symbol.dispose]() {
    this.close();
  }

  #checkOpen() {
    if (this.#closed) throw new ERR_INVALID_STATE(`the clock '${this.label}' is closed`);
  }

  #start(callback, delay, repeats, args) {
    this.#checkOpen();
    return startLabelled(callback, delay, repeats, args, this.label);
  }

  #keep(timer) {
    if (this.#timers.length >= this.#sweepAt) {
      this.#timers = this.#timers.filter((one) => binding.timerInfo(one).pending);
      this.#sweepAt = Math.max(64, 2 * this.#timers.length);
    }
    this.#timers.push(timer);
    return timer;
  }

  #watch(ms, every, handler) {
    validateDuration(ms, 'ms');
    validateFunction(handler, 'handler');
    this.#checkOpen();
    const number = binding.watchClock(this.#name, ms, every, handler);
    this.#watches.add(number);
    const remove = () => {
      if (this.#watches.delete(number)) binding.unwatchClock(this.#name, number);
    };
    return { remove, [Symbol.dispose]: remove };
  }
}

function clock(label, options = none) {
  validateString(label, 'label');
  if (label === '') throw new ERR_INVALID_ARG_VALUE('label', label, 'must not be empty');
  validateObject(options, 'options');
  const { unit } = options;
  if (unit === undefined) return new Clock(label, undefined);
  validateOneOf(unit, 'options.unit', ['ms', 'us']);
  const settled = units.get(label) ?? { unit, clocks: 0 };
  if (settled.unit !== unit || !binding.setClockUnit(toLabel(label), unit)) {
    throw new ERR_INVALID_STATE(`the clock '${label}' is in use with the unit '${binding.clockUnit(toLabel(label))}'`);
  }
  settled.clocks++;
  units.set(label, settled);
  return new Clock(label, unit);
}

/// Takes that much physical time, as a computation would: in virtual time it passes at once.
function spend(ms) {
  validateDuration(ms, 'ms');
  const end = binding.spend(ms);
  while (binding.now() < end);
}

module.exports = { clock, spend };
