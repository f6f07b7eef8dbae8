// What `--expose-externalize-string` adds to the globals: which strings have only characters up to U+00FF, and where
// Node keeps strings, which nothing can tell here.
'use strict';

const { defineProperty } = Object;

const functions = {
  externalizeString(string) {
    if (typeof string !== 'string') throw new Error('First parameter to externalizeString() must be a string.');
  },
  isOneByteString(string) {
    if (typeof string !== 'string') throw new Error('isOneByteString() requires a single string argument.');
    for (let at = 0; at < string.length; ++at) if (string.charCodeAt(at) > 0xff) return false;
    return true;
  },
};

exports.expose = function expose() {
  for (const name in functions) {
    defineProperty(globalThis, name, { __proto__: null, value: functions[name], writable: true, enumerable: true, configurable: false });
  }
};
