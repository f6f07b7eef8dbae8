// Results that somebody waits for.
'use strict';

/// Computes at once, and tells later, as whoever waits for a thread would hear of it.
exports.later = function later(compute, callback) {
  const { setImmediate } = require('timers');
  let result;
  try {
    result = compute();
  } catch (error) {
    setImmediate(callback, error);
    return;
  }
  setImmediate(callback, null, result);
};
