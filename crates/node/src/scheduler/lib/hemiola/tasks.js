// hemiola:tasks: callbacks with a level and a deadline. The strategy `priority` ranks by them; under the others
// tasks are immediates that are ordered among themselves.
// Uses binding.queueTask, moveTask, withdrawTask, currentLevel, resourceEstimate, useContexts.
'use strict';

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFunction, validateNumber, validateOneOf } = require('internal/validators');
const { atLevel, levels } = require('internal/levels');

// From now on it is noted what promises wait for: what is made before the first task may wait for it.
binding.useContexts('levels', true);

function validateDeadline(value) {
  validateNumber(value, 'deadline', 0);
  if (value === Infinity) throw new ERR_OUT_OF_RANGE('deadline', 'a finite number', value);
}

/// A task that waits: it can be given another level, or taken back.
class Task {
  #number;
  #deadline;

  constructor(callback, level, deadline) {
    this.#number = binding.queueTask(callback, level, deadline, false, callback);
    this.#deadline = deadline;
  }

  /// False when it does not wait any more.
  setLevel(level) {
    validateOneOf(level, 'level', levels);
    return binding.moveTask(this.#number, level, this.#deadline);
  }

  cancel() {
    return binding.withdrawTask(this.#number);
  }
}

/// Runs a function with that level, without a deadline.
exports.runTask = function runTask(callback, level) {
  validateFunction(callback, 'callback');
  validateOneOf(level, 'level', levels);
  return new Task(callback, level, undefined);
};

/// Runs a function with the level `high`, and should start it before that many milliseconds have passed.
exports.runSchedule = function runSchedule(callback, deadline) {
  validateFunction(callback, 'callback');
  validateDeadline(deadline);
  return new Task(callback, 'high', deadline);
};

/// Runs a function when there is time; after that many milliseconds its level is `high`.
exports.runBackground = function runBackground(callback, deadline) {
  validateFunction(callback, 'callback');
  validateDeadline(deadline);
  return new Task(callback, 'background', deadline);
};

/// The level of what runs, which everything that it starts inherits.
exports.currentLevel = function currentLevel() {
  return binding.currentLevel();
};

/// Calls a function now; what it starts has that level.
exports.withLevel = function withLevel(level, callback, ...args) {
  validateOneOf(level, 'level', levels);
  validateFunction(callback, 'callback');
  return atLevel(level, () => callback(...args));
};

/// What callbacks that were written where this function was have taken so far, or without one those of what runs:
/// mean and standard deviation, with all that they caused and without. Undefined where nothing is known.
exports.resourceEstimate = function resourceEstimate(callback = undefined) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const numbers = callback === undefined ? binding.resourceEstimate() : binding.resourceEstimate(callback);
  if (numbers === undefined) return undefined;
  const [count, ...rest] = numbers;
  const [inclusive, exclusive] = [rest.slice(0, 6), rest.slice(6)];
  const spread = (list, at) => ({ mean: list[at], stdev: list[at + 1] });
  const of = (at) => ({ inclusive: spread(inclusive, at), exclusive: spread(exclusive, at) });
  return { count, time: of(0), network: of(2), disk: of(4) };
};
