// node:tty, for the standard streams.
// Uses binding.isTerminal.
'use strict';

function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && fd <= 2147483647 && binding.isTerminal(fd);
}

module.exports = { isatty };
for (const name of ['ReadStream', 'WriteStream']) {
  module.exports[name] = {
    [name]: function () {
      const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
      throw new ERR_METHOD_NOT_IMPLEMENTED(`tty.${name}`);
    },
  }[name];
}
module.exports.WriteStream.prototype.getColorDepth = (env) => require('internal/process/colors').getColorDepth(env);
module.exports.WriteStream.prototype.hasColors = (count, env) => require('internal/process/colors').hasColors(count, env);
