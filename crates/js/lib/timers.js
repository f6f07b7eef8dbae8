// node:timers. The functions and the handles are native; see timers.rs.
// Uses binding.setTimeout and its kin, setLabelledTimeout, setLabelledInterval, refreshTimer, referTimer,
// timerInfo, timeoutPrototype, immediatePrototype.
'use strict';

const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = binding;
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
method(Timeout, 'close', function close() { clearTimeout(this); return this; });
method(Timeout, Symbol.toPrimitive, function toPrimitive() {
  const number = binding.timerInfo(this)[0];
  if (number >= 0) byNumber[number] = this;
  return number;
});
method(Timeout, Symbol.dispose, function dispose() { clearTimeout(this); });
constructor(Timeout, { Timeout: function() {} }.Timeout);

method(Immediate, 'ref', function ref() { return this; });
method(Immediate, 'unref', function unref() { return this; });
method(Immediate, 'hasRef', function hasRef() { return true; });
method(Immediate, Symbol.dispose, function dispose() { clearImmediate(this); });
constructor(Immediate, { Immediate: function() {} }.Immediate);

binding.clearByNumber = (number) => {
  const known = byNumber[number];
  delete byNumber[number];
  clearTimeout(known);
};

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
  value: { setTimeout: binding.setLabelledTimeout, setInterval: binding.setLabelledInterval },
});
