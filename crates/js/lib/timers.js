// node:timers. The handles and the work are native; see timers.rs.
// Uses binding.startTimer, clearTimer, refreshTimer, referTimer, timerInfo, startImmediate,
// clearImmediate, timeoutPrototype, immediatePrototype.
'use strict';

function validateFunction(callback) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
}

const { startTimer, clearTimer, startImmediate } = binding;
const Timeout = binding.timeoutPrototype;
const Immediate = binding.immediatePrototype;

// Timers that somebody asked for their number, which may then be cleared by it.
const byNumber = { __proto__: null };

function method(prototype, name, value) {
  Object.defineProperty(prototype, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

// Gives a native prototype a constructor, so that handles show what they are.
function constructor(prototype, named) {
  named.prototype = prototype;
  method(prototype, 'constructor', named);
}

method(Timeout, 'ref', function ref() { binding.referTimer(this, true); return this; });
method(Timeout, 'unref', function unref() { binding.referTimer(this, false); return this; });
method(Timeout, 'hasRef', function hasRef() { return binding.timerInfo(this)[1]; });
method(Timeout, 'refresh', function refresh() { binding.refreshTimer(this); return this; });
method(Timeout, 'close', function close() { clearTimer(this); return this; });
method(Timeout, Symbol.toPrimitive, function toPrimitive() {
  const number = binding.timerInfo(this)[0];
  if (number >= 0) byNumber[number] = this;
  return number;
});
method(Timeout, Symbol.dispose, function dispose() { clearTimer(this); });
constructor(Timeout, { Timeout: function() {} }.Timeout);

method(Immediate, 'ref', function ref() { return this; });
method(Immediate, 'unref', function unref() { return this; });
method(Immediate, 'hasRef', function hasRef() { return true; });
method(Immediate, Symbol.dispose, function dispose() { clearImmediate(this); });
constructor(Immediate, { Immediate: function() {} }.Immediate);

function setTimeout(callback, delay, ...args) {
  validateFunction(callback);
  return startTimer(callback, +delay, false, args, undefined);
}

function setInterval(callback, delay, ...args) {
  validateFunction(callback);
  return startTimer(callback, +delay, true, args, undefined);
}

function clearTimeout(timer) {
  if (timer === undefined || timer === null) return;
  if (typeof timer === 'object') {
    if (Object.getPrototypeOf(timer) === Timeout) clearTimer(timer);
    return;
  }
  if (typeof timer === 'number' || typeof timer === 'string') {
    const known = byNumber[timer];
    if (known !== undefined) {
      delete byNumber[timer];
      clearTimer(known);
    }
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

function setImmediate(callback, ...args) {
  validateFunction(callback);
  return startImmediate(callback, args);
}

function clearImmediate(immediate) {
  if (typeof immediate === 'object' && immediate !== null && Object.getPrototypeOf(immediate) === Immediate) {
    binding.clearImmediate(immediate);
  }
}

exports.setTimeout = setTimeout;
exports.clearTimeout = clearTimeout;
exports.setInterval = setInterval;
exports.clearInterval = clearInterval;
exports.setImmediate = setImmediate;
exports.clearImmediate = clearImmediate;

// In an application's own modules a third argument that is a text names a clock (rule TIME-15).
Object.defineProperty(exports, 'applicationTimers', {
  __proto__: null,
  enumerable: false,
  value: {
    setTimeout: function setTimeout(callback, delay, ...args) {
      validateFunction(callback);
      return startTimer(callback, +delay, false, args, label(args));
    },
    setInterval: function setInterval(callback, delay, ...args) {
      validateFunction(callback);
      return startTimer(callback, +delay, true, args, label(args));
    },
  },
});

function label(args) {
  const name = args[0];
  return typeof name === 'string' && name !== '' && !binding.callerIsDependency() ? name : undefined;
}
