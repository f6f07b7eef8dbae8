// hemiola:tasks: callbacks with a level and a deadline. The strategy `priority` ranks by them; under the others
// tasks are immediates that are ordered among themselves.
// Uses binding.queueTask, moveTask, withdrawTask, currentLevel.
'use strict';

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFunction, validateNumber, validateOneOf } = require('internal/validators');

const levels = ['high', 'low', 'background'];

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
