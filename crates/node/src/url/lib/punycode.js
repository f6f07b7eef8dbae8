// node:punycode, which is deprecated but still asked for.
// Uses binding.emitWarning, flags.
'use strict';

if (binding.flags?.length > 0 && require('internal/flags').isOn('--pending-deprecation')) {
  binding.emitWarning(
    'The `punycode` module is deprecated. Please use a userland alternative instead.', 'DeprecationWarning', 'DEP0040');
}

module.exports = { ...require('internal/punycode') };
