// Timers as objects had them before `setTimeout` gave its own: an object says how long it may be idle, and what then.
// Uses binding.now, timerInfo, changeTimer, refreshTimer.
'use strict';

const process = require('internal/process');
const timers = require('internal/timers');
const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { deprecate } = require('internal/util/deprecate');
const { validateNumber } = require('internal/validators');

const LONGEST = 2 ** 31 - 1;

// The timer that is started for an object.
const started = new WeakMap();

const isTimer = (item) => binding.timerInfo(item) !== undefined;

function stop(item) {
  timers.clearTimeout(started.get(item));
  started.delete(item);
  item._idleNext = item._idlePrev = null;
}

function start(item, isLoose) {
  if (isTimer(item)) {
    binding.refreshTimer(item, true);
    if (isLoose) item.unref();
    return;
  }
  if (started.has(item)) stop(item);
  const delay = item._idleTimeout;
  if (delay === undefined || delay < 0) return;
  item._idleStart = Math.trunc(binding.now());
  item._destroyed ??= false;
  // Who waits is in a list, of which nobody needs to know more.
  item._idleNext = item;
  item._idlePrev = item;
  const timer = timers.setTimeout(() => {
    started.delete(item);
    item._idleNext = item._idlePrev = null;
    if (typeof item._onTimeout === 'function') item._onTimeout();
  }, delay);
  if (isLoose) timer.unref();
  started.set(item, timer);
}

function enroll(item, msecs) {
  validateNumber(msecs, 'msecs');
  if (msecs < 0 || !Number.isFinite(msecs)) throw new ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  if (msecs > LONGEST) {
    process.emitWarning(
      `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${LONGEST}.`, 'TimeoutOverflowWarning');
    msecs = LONGEST;
  }
  if (isTimer(item)) {
    binding.changeTimer(item, 'halt', undefined);
  } else {
    if (started.has(item)) stop(item);
    item._idleNext = item;
    item._idlePrev = item;
  }
  item._idleTimeout = msecs;
}

function unenroll(item) {
  if (isTimer(item)) {
    timers.clearTimeout(item);
    return;
  }
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
