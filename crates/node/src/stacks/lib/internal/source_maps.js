// Source maps: whether they are wanted.
// Uses binding.flags.
'use strict';

const process = require('internal/process');

let isEnabled = require('internal/flags').isOn('--enable-source-maps');

exports.setSourceMapsEnabled = function setSourceMapsEnabled(enabled) {
  require('internal/validators').validateBoolean(enabled, 'val');
  isEnabled = enabled;
};

Object.defineProperty(process, 'sourceMapsEnabled', { __proto__: null, configurable: true, enumerable: true, get: () => isEnabled });
