// What a program may put in the place of what makes a function of a module's text: `Module.wrap` and `Module.wrapper`.
// Uses binding.evaluate, prepareScript.
'use strict';

const { Module, wrapping } = require('internal/modules');
const { give } = require('internal/modules/given');

const parts = { wrapper: ['(function (exports, require, module, __filename, __dirname) { ', '\n});'] };
parts.wrap = (script) => parts.wrapper[0] + script + parts.wrapper[1];

/// The function that the program's own wrapper makes.
exports.evaluate = function evaluate(content, filename) {
  const [code, context, access] = binding.prepareScript(Module.wrap(content.replace(/^#!.*/, '')), filename, 'commonjs');
  give(context, access);
  return binding.evaluate(code, filename);
};

/// What a program may put in the place of: `Module.wrap` and `Module.wrapper`, also its parts.
exports.expose = function expose() {
  const noticed = (value) => {
    wrapping.isReplaced = true;
    return value;
  };
  const proxy = (pair) => new Proxy(pair, {
    set: (target, name, value, receiver) => Reflect.set(target, name, noticed(value), receiver),
    defineProperty: (target, name, descriptor) => Reflect.defineProperty(target, name, noticed(descriptor)),
  });
  parts.wrapper = proxy(parts.wrapper);
  for (const name of ['wrap', 'wrapper']) {
    Object.defineProperty(Module, name, {
      __proto__: null,
      configurable: false,
      enumerable: false,
      get: () => parts[name],
      set(value) { parts[name] = noticed(value); },
    });
  }
};
