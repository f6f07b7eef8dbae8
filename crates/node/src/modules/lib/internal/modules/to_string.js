// Functions show the text that was written, not what the transform made of it.
// Uses binding.originalText.
'use strict';

const { apply } = require('internal/kept');

let installed = false;

exports.install = function install() {
  if (installed) return;
  installed = true;
  const engine = Function.prototype.toString;
  const { toString } = {
    toString() {
      return binding.originalText(apply(engine, this === toString ? engine : this, []));
    },
  };
  Object.defineProperty(Function.prototype, 'toString', { __proto__: null, configurable: true, enumerable: false, writable: true, value: toString });
};
