// node:timers: everything here has Node's meaning (rule TIME-15).
'use strict';

const timers = require('internal/timers');

module.exports = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setImmediate: timers.setImmediate,
  clearImmediate: timers.clearImmediate,
  setInterval: timers.setInterval,
  clearInterval: timers.clearInterval,
  _unrefActive(item) { require('internal/timers/enrolled')._unrefActive(item); },
  active(item) { require('internal/timers/enrolled').active(item); },
  unenroll(item) { require('internal/timers/enrolled').unenroll(item); },
  enroll(item, msecs) { require('internal/timers/enrolled').enroll(item, msecs); },
  get promises() { return require('timers/promises'); },
};
