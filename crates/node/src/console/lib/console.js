// node:console
'use strict';

module.exports = globalThis.console;
