// Timers and immediates. The handles and the work are native; see timers.rs.
// Uses binding.setTimeout and its kin, setLabelledTimeout, setLabelledInterval, setGuardTimeout,
// setGuardInterval, startTimer, refreshTimer, referTimer, timerInfo, changeTimer, referImmediate, immediateInfo,
// timeoutPrototype, immediatePrototype, emitWarning, useContexts.
'use strict';

const { startTimer, clearTimeout, clearImmediate } = binding;
const Timeout = binding.timeoutPrototype;
const Immediate = binding.immediatePrototype;

// Timers that somebody asked for their number, which may then be cleared by it.
const byNumber = new Map();
let sweepAt = 64;

// Labelled clocks whose advance somebody else holds: by label as the machine knows it, who starts, refreshes and reads
// their timers.
const held = { __proto__: null };
let isAnyHeld = false;

function ownerOf(name) {
  return isAnyHeld && name !== undefined ? held[name] : undefined;
}

/// From now on that owner holds the clock; nobody does without one.
function holdClock(name, owner) {
  isAnyHeld = true;
  if (owner === undefined) delete held[name];
  else held[name] = owner;
}

function method(prototype, name, value) {
  Object.defineProperty(prototype, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

function getter(prototype, name, get, set) {
  Object.defineProperty(prototype, name, { __proto__: null, get, set, configurable: true, enumerable: false });
}

// Gives a native prototype a constructor, so that handles show what they are.
function constructor(prototype, named) {
  named.prototype = prototype;
  method(prototype, 'constructor', named);
}

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kRefed = Symbol('refed');

method(Timeout, 'ref', function ref() { binding.referTimer(this, true); return this; });
method(Timeout, 'unref', function unref() { binding.referTimer(this, false); return this; });
method(Timeout, 'hasRef', function hasRef() { return binding.timerInfo(this)?.referenced; });
method(Timeout, 'refresh', function refresh() {
  const owner = isAnyHeld ? ownerOf(binding.timerInfo(this)?.label) : undefined;
  if (owner === undefined) binding.refreshTimer(this, true);
  else owner.refresh(this);
  return this;
});
method(Timeout, 'close', function close() { clearTimeout(this); return this; });
method(Timeout, Symbol.toPrimitive, function toPrimitive() {
  const { number } = binding.timerInfo(this);
  byNumber.set(number, this);
  // Those that have run need no number any more.
  if (byNumber.size >= sweepAt) {
    for (const [other, timer] of byNumber) if (!binding.timerInfo(timer).pending) byNumber.delete(other);
    sweepAt = Math.max(64, 2 * byNumber.size);
  }
  return number;
});
method(Timeout, Symbol.dispose, function dispose() { clearTimeout(this); });
method(Timeout, kInspect, function inspect(depth, options) {
  const { delay, callback, period, pending, referenced, label } = binding.timerInfo(this) ?? {};
  const shown = { _idleTimeout: delay, _onTimeout: callback, _repeat: period ?? null, _destroyed: !pending, [kRefed]: referenced };
  if (label !== undefined) shown.label = label;
  return require('internal/event').inspectAs('Timeout', shown, depth, options);
});
// A program may change a timer by its properties. What it then does is asked of the machine as if it were started so.
getter(Timeout, '_idleTimeout', function _idleTimeout() {
  return binding.timerInfo(this)?.delay;
}, function _idleTimeout(delay) {
  binding.changeTimer(this, 'delay', Number(delay));
});
getter(Timeout, '_onTimeout', function _onTimeout() {
  return binding.timerInfo(this)?.callback;
}, function _onTimeout(callback) {
  binding.changeTimer(this, 'callback', callback);
});
getter(Timeout, '_repeat', function _repeat() {
  return binding.timerInfo(this)?.period ?? null;
}, function _repeat(period) {
  binding.changeTimer(this, 'period', period ? Number(period) : undefined);
});
getter(Timeout, '_destroyed', function _destroyed() { return !binding.timerInfo(this)?.pending; });
constructor(Timeout, { Timeout: function() {} }.Timeout);

method(Immediate, 'ref', function ref() { binding.referImmediate(this, true); return this; });
method(Immediate, 'unref', function unref() { binding.referImmediate(this, false); return this; });
method(Immediate, 'hasRef', function hasRef() { return binding.immediateInfo(this).referenced; });
method(Immediate, Symbol.dispose, function dispose() { clearImmediate(this); });
method(Immediate, kInspect, function inspect(depth, options) {
  const { callback, args, referenced } = binding.immediateInfo(this);
  const shown = { _onImmediate: callback, _argv: args, _destroyed: callback === null, [kRefed]: referenced };
  return require('internal/event').inspectAs('Immediate', shown, depth, options);
});
getter(Immediate, '_onImmediate', function _onImmediate() { return binding.immediateInfo(this).callback; });
getter(Immediate, '_destroyed', function _destroyed() { return binding.immediateInfo(this).callback === null; });
constructor(Immediate, { Immediate: function() {} }.Immediate);

// The longest delay that Node takes for one.
const LONGEST_MS = 2147483647;

// The number that a delay is, as whoever starts a timer means it; what becomes of the number is native. For
// what is no number the engine's words are not Node's. Too long a delay is told of (rule TIME-12 for clocks).
function toNumber(delay, isLabelled) {
  if (typeof delay === 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
  if (typeof delay === 'symbol') throw new TypeError('Cannot convert a Symbol value to a number');
  delay = +delay;
  if (isLabelled) {
    if (delay !== Infinity) return delay;
    const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
    throw new ERR_OUT_OF_RANGE('delay', 'a finite number', delay);
  }
  if (delay > LONGEST_MS) {
    binding.emitWarning(
      `${delay} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`, 'TimeoutOverflowWarning');
  }
  return delay;
}

// Starts a timer without a label.
function start(callback, delay, repeats, args, isGuard = false) {
  return startTimer(callback, toNumber(delay, false), repeats, args, undefined, isGuard);
}

// A label as the machine knows it, which takes well-formed text only; others are written with escapes,
// behind a mark that no text should have.
function toLabel(text) {
  return text.isWellFormed() ? text : `\uFFFF${JSON.stringify(text)}`;
}

let labelsInUse = false;

// Starts a timer on a labelled clock.
function startLabelled(callback, delay, repeats, args, label) {
  delay = toNumber(delay, true);
  if (!labelsInUse) {
    labelsInUse = true;
    binding.useContexts('labels', true);
  }
  const name = toLabel(label);
  const owner = ownerOf(name);
  if (owner !== undefined) return owner.start(callback, delay, repeats, args);
  return startTimer(callback, delay, repeats, args, name, false);
}

// Where the native functions are at a loss: a delay that is no small number, or the first label.
function startSlowly(callback, delay, repeats, args, labelled, isGuard) {
  return labelled
    ? startLabelled(callback, delay, repeats, args, args[0])
    : start(callback, delay, repeats, args, isGuard);
}

// `clearTimeout` of what is no handle.
function clearByNumber(timer) {
  const number = +timer;
  const known = String(number) === String(timer) ? byNumber.get(number) : undefined;
  if (known !== undefined) {
    byNumber.delete(number);
    clearTimeout(known);
  }
}

exports.setTimeout = binding.setTimeout;
exports.clearTimeout = clearTimeout;
exports.setImmediate = binding.setImmediate;
exports.clearImmediate = clearImmediate;
exports.setInterval = binding.setInterval;
exports.clearInterval = binding.clearInterval;
// In an application's own modules a third argument that is a text names a clock (rule TIME-15).
const applicationTimers = { setTimeout: binding.setLabelledTimeout, setInterval: binding.setLabelledInterval };

// What util.promisify makes of them.
for (const [callbacks, name] of [
  [exports, 'setTimeout'], [applicationTimers, 'setTimeout'], [exports, 'setImmediate'],
]) {
  Object.defineProperty(callbacks[name], Symbol.for('nodejs.util.promisify.custom'), {
    __proto__: null,
    enumerable: true,
    get() { return require('timers/promises')[name]; },
  });
}

exports.applicationTimers = applicationTimers;
// Timers with which the library guards what it does itself. Where every schedule is tried they win no race.
exports.guards = { setTimeout: binding.setGuardTimeout, setInterval: binding.setGuardInterval };
// What `timer.refresh()` is to the library, which does it for every packet.
exports.refresh = (timer) => { binding.refreshTimer(timer, false); };
exports.startUnlabelled = start;
exports.startSlowly = startSlowly;
exports.clearByNumber = clearByNumber;
exports.startLabelled = startLabelled;
exports.toLabel = toLabel;
exports.holdClock = holdClock;
exports.ownerOf = ownerOf;
