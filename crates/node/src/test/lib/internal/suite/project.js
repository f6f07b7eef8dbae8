// What the project of a test file has: its packages, and how the file was asked to run.
'use strict';

const { Module } = require('internal/modules');

let settings = {};
let loaded;

module.exports = {
  get settings() { return settings; },
  set settings(given) { settings = given; },
  /// chai as the project has it, or undefined.
  chai() {
    if (loaded === undefined) {
      const module = new Module(`${settings.root}/noop.js`);
      module.filename = `${settings.root}/noop.js`;
      module.paths = Module._nodeModulePaths(settings.root);
      try {
        loaded = { chai: module.require('chai') };
      } catch {
        loaded = { chai: undefined };
      }
    }
    return loaded.chai;
  },
};
