// Levels of single calls: what a call starts has the level that its options name (rule PRIO-2).
// Uses binding.atLevel, timers.
'use strict';

const levels = ['high', 'low', 'background'];

/// Whether a value is the name of a level.
const isLevel = (value) => levels.includes(value);

/// The level among the options of a call, or undefined. Only a string counts: to Node the option means nothing, and
/// packages hand on options of their own.
function levelIn(options, name = 'options.priority') {
  if (options === null || typeof options !== 'object') return undefined;
  const { priority } = options;
  if (typeof priority !== 'string' || binding.timers === 'node') return undefined;
  if (!isLevel(priority)) require('internal/validators').validateOneOf(priority, name, levels);
  return priority;
}

/// The level of a call with a callback at that place: what follows the callback, if it names one, or what the
/// options before it say. Node looks at nothing that follows.
function levelOf(args, at) {
  const after = args[at + 1];
  if (typeof after === 'string' && isLevel(after) && binding.timers !== 'node') return after;
  return at > 0 ? levelIn(args[at - 1]) : undefined;
}

/// Calls a function; what it starts has that level, unless it is undefined.
function atLevel(level, start) {
  return level === undefined ? start() : binding.atLevel(level, start);
}

/// A function for a promise that takes a level among its last argument's options.
const leveled = (start) => (...args) => {
  const last = args[args.length - 1];
  if (last === null || typeof last !== 'object') return start(...args);
  let level;
  try {
    level = levelIn(last);
  } catch (error) {
    return Promise.reject(error);
  }
  return atLevel(level, () => start(...args));
};

module.exports = { atLevel, levelIn, levelOf, leveled, levels };
