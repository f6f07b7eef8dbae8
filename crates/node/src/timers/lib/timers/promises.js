// node:timers/promises. The option `label` puts a timer on a labelled clock (rule TIME-3), the option `priority`
// gives it a level (rule PRIO-2).
// Uses binding.timers, clearTimeout, setImmediate, clearImmediate.
'use strict';

const { AbortError, codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject, validateString } =
  require('internal/validators');
const { startUnlabelled, startLabelled } = require('internal/timers');
const { atLevel, levelIn } = require('internal/levels');

const none = Object.freeze({ __proto__: null });

// Says what is wrong with the options, and gives the label and the level among them.
function check(options) {
  validateObject(options, 'options');
  const { signal, ref = true, label } = options;
  validateAbortSignal(signal, 'options.signal');
  validateBoolean(ref, 'options.ref');
  // To Node it is an option like any other that it does not know.
  if (binding.timers === 'node') return none;
  if (label !== undefined) validateString(label, 'options.label');
  return { label: label === '' ? undefined : label, level: levelIn(options) };
}

function start(callback, delay, repeats, { label, level }, ref) {
  const timer = atLevel(level, () => (label === undefined
    ? startUnlabelled(callback, delay, repeats, undefined)
    : startLabelled(callback, delay, repeats, undefined, label)));
  if (!ref) timer.unref();
  return timer;
}

const aborted = (signal) => new AbortError(undefined, { cause: signal.reason });

// A promise that `begin` makes good and a signal may reject; `stop` ends what `begin` began.
function abortable(signal, begin, stop) {
  if (signal === undefined) return new Promise((resolve) => { begin(resolve); });
  const { kResistStopPropagation } = require('internal/event_target');
  let cancel;
  const promise = new Promise((resolve, reject) => {
    const begun = begin(resolve);
    cancel = () => {
      stop(begun);
      reject(aborted(signal));
    };
    signal.addEventListener('abort', cancel, { __proto__: null, [kResistStopPropagation]: true });
  });
  // As Node does it, with as many jobs in between.
  return new Promise((resolve, reject) => {
    new Promise((keep, fail) => { promise.then(keep, fail); })
      .finally(() => signal.removeEventListener('abort', cancel))
      .then(resolve, reject);
  });
}

function setTimeout(delay, value, options = none) {
  try {
    if (delay !== undefined) validateNumber(delay, 'delay');
    const where = check(options);
    const { signal, ref = true } = options;
    if (signal?.aborted) throw aborted(signal);
    return abortable(
      signal, (resolve) => start(() => resolve(value), delay, false, where, ref), binding.clearTimeout);
  } catch (error) {
    return Promise.reject(error);
  }
}

function setImmediate(value, options = none) {
  try {
    const { level } = check(options);
    const { signal, ref = true } = options;
    if (signal?.aborted) throw aborted(signal);
    const begin = (resolve) => {
      const immediate = atLevel(level, () => binding.setImmediate(() => resolve(value)));
      if (!ref) immediate.unref();
      return immediate;
    };
    return abortable(signal, begin, binding.clearImmediate);
  } catch (error) {
    return Promise.reject(error);
  }
}

async function* setInterval(delay, value, options = none) {
  if (delay !== undefined) validateNumber(delay, 'delay');
  const where = check(options);
  const { signal, ref = true } = options;
  if (signal?.aborted) throw aborted(signal);
  // How often it has come and nobody has asked for it yet.
  let come = 0;
  let wake;
  const arrival = () => new Promise((resolve) => { wake = resolve; });
  const timer = start(() => {
    come++;
    wake?.();
    wake = undefined;
  }, delay, true, where, ref);
  let cancel;
  if (signal !== undefined) {
    const { kResistStopPropagation } = require('internal/event_target');
    cancel = () => {
      binding.clearTimeout(timer);
      wake?.();
      wake = undefined;
    };
    signal.addEventListener('abort', cancel, { __proto__: null, once: true, [kResistStopPropagation]: true });
  }
  try {
    for (;;) {
      if (signal?.aborted) throw aborted(signal);
      if (come === 0) await arrival();
      while (come > 0) {
        yield value;
        come--;
      }
    }
  } finally {
    binding.clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

const kScheduler = Symbol('kScheduler');

function checkScheduler(value) {
  if (!value[kScheduler]) throw new ERR_INVALID_THIS('Scheduler');
}

class Scheduler {
  constructor() {
    throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  yield() {
    checkScheduler(this);
    return setImmediate();
  }

  wait(delay, options = undefined) {
    checkScheduler(this);
    return setTimeout(delay, undefined, options);
  }
}

const scheduler = Object.create(Scheduler.prototype);
scheduler[kScheduler] = true;

module.exports = { setTimeout, setImmediate, setInterval, scheduler };
