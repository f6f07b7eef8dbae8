// Timers as objects had them before `setTimeout` gave its own: an object says how long it may be idle, and what then.
// Uses binding.now.
'use strict';

const timers = require('internal/timers');
const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { deprecate } = require('internal/util/deprecate');
const { validateNumber } = require('internal/validators');

const LONGEST = 2 ** 31 - 1;

// The timer that is started for an object.
const started = new WeakMap();

function stop(item) {
  timers.clearTimeout(started.get(item));
  started.delete(item);
  item._idleNext = item._idlePrev = null;
}

function start(item, isLoose) {
  if (started.has(item)) stop(item);
  const delay = item._idleTimeout;
  if (delay === undefined || delay < 0) return;
  item._idleStart = Math.trunc(binding.now());
  item._destroyed ??= false;
  const timer = timers.setTimeout(() => {
    started.delete(item);
    if (typeof item._onTimeout === 'function') item._onTimeout();
  }, delay);
  if (isLoose) timer.unref();
  started.set(item, timer);
}

function enroll(item, msecs) {
  validateNumber(msecs, 'msecs');
  if (msecs < 0 || !Number.isFinite(msecs)) throw new ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  if (started.has(item)) stop(item);
  item._idleNext = null;
  item._idlePrev = null;
  item._idleTimeout = msecs > LONGEST ? LONGEST : msecs;
}

function unenroll(item) {
  stop(item);
  item._idleTimeout = -1;
}

const old = (fn, name, instead, code) => deprecate(fn, `timers.${name}() is deprecated. Please use ${instead} instead.`, code);

module.exports = {
  _unrefActive: old((item) => start(item, true), '_unrefActive', 'timeout.refresh()', 'DEP0127'),
  active: old((item) => start(item, false), 'active', 'timeout.refresh()', 'DEP0126'),
  unenroll: old(unenroll, 'unenroll', 'clearTimeout', 'DEP0096'),
  enroll: old(enroll, 'enroll', 'setTimeout', 'DEP0095'),
};
