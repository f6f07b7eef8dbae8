// AbortController and AbortSignal.
//
// Takes from `binding`:
//   setUnrefTimeout(callback, delay, ...args)  a timer that does not keep the program alive
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { validateAbortSignalArray, validateUint32 } = require('internal/validators');
const {
  Event, EventTarget, defineEventHandler, finishClass, kNewListener, kRemoveListener, kTrustEvent,
} = require('internal/event_target');
const { inspectAs } = require('internal/event');
const { DOMException } = require('internal/domexception');

const kAborted = Symbol('kAborted');
const kReason = Symbol('kReason');
const kSources = Symbol('kSources');
const kDependents = Symbol('kDependents');
const kListening = Symbol('kListening');
const kMake = Symbol('kMake');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

/// The signals made by `AbortSignal.any` from one signal.
///
/// Programs combine a signal that lives as long as they do with short-lived ones, over and over, so
/// the combined ones are held weakly. One that somebody listens to must not vanish, though, and is
/// held firmly for as long (EVENT-27). Entries of vanished signals are swept out when there are twice as many as
/// after the last time.
class Dependents {
  // From each weak reference to the signal itself, or undefined while nobody listens to it.
  #signals = new Map();
  #sweepAt = 16;

  add(reference) {
    if (this.#signals.size >= this.#sweepAt) this.#sweep();
    this.#signals.set(reference, undefined);
  }

  /// Says whether a signal has to be kept.
  keep(reference, signal) {
    if (this.#signals.has(reference)) this.#signals.set(reference, signal);
  }

  #sweep() {
    for (const reference of this.#signals.keys()) {
      if (reference.deref() === undefined) this.#signals.delete(reference);
    }
    this.#sweepAt = Math.max(16, this.#signals.size * 2);
  }

  *[Symbol.iterator]() {
    for (const reference of this.#signals.keys()) {
      const signal = reference.deref();
      if (signal !== undefined) yield signal;
    }
  }
}

/// The signal that a method was called on.
function checked(value) {
  if (value?.[kAborted] !== undefined) return value;
  throw new ERR_INVALID_THIS('AbortSignal');
}

function abortReason(reason) {
  return reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
}

class AbortSignal extends EventTarget {
  constructor(key = undefined, aborted = false, reason = undefined) {
    if (key !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this[kAborted] = aborted;
    // What is undefined is not kept, and most signals are never aborted: neither this, nor kDependents, nor what a
    // combined signal has, kSources: a weak reference to itself, and the signals it hangs on.
    if (reason !== undefined) this[kReason] = reason;
  }

  get aborted() {
    return checked(this)[kAborted];
  }

  get reason() {
    return checked(this)[kReason];
  }

  throwIfAborted() {
    if (checked(this)[kAborted]) throw this[kReason];
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    return inspectAs('AbortSignal', { aborted: this.aborted }, depth, options);
  }

  static abort(reason = undefined) {
    return new AbortSignal(kMake, true, abortReason(reason));
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(kMake);
    binding.setUnrefTimeout(expire, delay, new WeakRef(signal), signal[kListening] = new Set());
    return signal;
  }

  static any(signals) {
    // Node takes arrays alone, the web platform any iterable object.
    const isIterable = Object(signals) === signals && typeof signals[Symbol.iterator] === 'function';
    const list = isIterable && !Array.isArray(signals) ? [...signals] : signals;
    validateAbortSignalArray(list, 'signals');
    return combine(new AbortSignal(kMake), list);
  }

  [kNewListener](size, type, ...rest) {
    super[kNewListener](size, type, ...rest);
    if (type === 'abort' && size === 1) hold(this, true);
  }

  [kRemoveListener](size, type, ...rest) {
    super[kRemoveListener](size, type, ...rest);
    if (type === 'abort' && size === 0) hold(this, false);
  }
}

/// Lets a new signal hang on others: it is aborted with the first of them, and if one is already, at once
/// (EVENT-26).
function combine(result, signals) {
  const sources = new Set();
  for (const signal of signals) {
    if (signal.aborted) {
      result[kAborted] = true;
      result[kReason] = signal.reason;
      return result;
    }
    // A combined signal adds nothing of its own: what counts are the signals below it.
    if (signal[kSources] === undefined) sources.add(signal);
    else for (const source of signal[kSources].signals) sources.add(source);
  }
  const reference = new WeakRef(result);
  result[kSources] = { reference, signals: sources };
  for (const source of sources) (source[kDependents] ??= new Dependents()).add(reference);
  return result;
}

/// Says whether somebody listens to a signal: what aborts it must find it then.
function hold(signal, isHeard) {
  hear(signal, signal, isHeard);
  if (signal[kSources] === undefined) return;
  const { reference, signals } = signal[kSources];
  for (const source of signals) {
    source[kDependents]?.keep(reference, isHeard ? signal : undefined);
    hear(source, signal, isHeard);
  }
}

/// A signal with a time limit is held by its timer for as long as somebody listens, to it or to one made of it (EVENT-28).
/// Programs give many operations a long limit, and most of those are over soon.
function hear(source, signal, isHeard) {
  const listening = source[kListening];
  if (listening === undefined) return;
  if (isHeard) listening.add(signal);
  else listening.delete(signal);
}

/// The time of a signal is over, if anybody still has it. `listening` is what holds those that are listened to.
function expire(reference, listening) {
  const signal = reference.deref();
  listening.clear();
  if (signal === undefined) return;
  abortSignal(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
}

/// Aborts a signal with those that hang on it, and then lets them say so, one after the other: whoever hears the
/// first of them finds all of them aborted.
/// EVENT-25
function abortSignal(signal, reason) {
  if (signal[kAborted]) return;
  const aborted = [signal];
  const dependents = signal[kDependents];
  signal[kDependents] = undefined;
  if (dependents !== undefined) {
    for (const dependent of dependents) if (!dependent[kAborted]) aborted.push(dependent);
  }
  for (const one of aborted) {
    one[kAborted] = true;
    one[kReason] = reason;
  }
  for (const one of aborted) one.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
}

defineEventHandler(AbortSignal.prototype, 'abort');
finishClass(AbortSignal, ['aborted'], 'AbortSignal');

class AbortController {
  #signal;

  get signal() {
    return this.#signal ??= this[kMake]();
  }

  /// The signal of this controller, when it is first asked for.
  [kMake]() {
    return new AbortSignal(kMake);
  }

  abort(reason = undefined) {
    abortSignal(this.signal, abortReason(reason));
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    return inspectAs('AbortController', { signal: this.signal }, depth, options);
  }
}

finishClass(AbortController, ['signal', 'abort'], 'AbortController');

module.exports = { AbortController, AbortSignal, abortSignal, combine, kMake };
