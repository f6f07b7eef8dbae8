// hemiola:observe: what a program shows to whoever checks its runs.
// Uses binding.observe.
'use strict';

// What is observed of a value: a whole number or a text. It is found out whether anybody listens or not,
// since to look at an object may run code of the program.
function observation(value) {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isSafeInteger(value) ? value : String(value);
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : String(value);
    }
    case 'function': {
      const { name } = value;
      return typeof name === 'string' && name !== '' ? name : '(anonymous)';
    }
    case 'object':
      break;
    default:
      return String(value);
  }
  if (value === null) return 'null';
  const { inspect, types } = require('util');
  // Where it was thrown is no part of what was observed.
  if (types.isNativeError(value)) return Reflect.apply(Error.prototype.toString, value, []);
  return inspect(value, { breakLength: Infinity, compact: true, depth: 4 });
}

/// Appends what is observed of a value to the trace of the run.
function obs(value) {
  binding.observe(observation(value));
}

exports.obs = obs;
exports.observe = obs;
