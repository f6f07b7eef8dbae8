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
  get promises() { return require('timers/promises'); },
};
