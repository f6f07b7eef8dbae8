// What the project of a test file has: its packages, and how the file was asked to run.
'use strict';

const { Module } = require('internal/modules');

const FLAGS = ['DEV', 'PROD', 'SSR'];

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
  /// Whether vite gives that variable as true or false.
  isFlag: (name) => FLAGS.includes(name),
  /// What stands for a value in the environment of the process.
  asVariable: (name, value) => (FLAGS.includes(name) ? (value ? '1' : '') : String(value)),
  /// Sets the variables that vitest's test files find.
  nameVariables() {
    const { env } = require('internal/process');
    env.VITEST = 'true';
    const usual = { BASE_URL: '/', DEV: '1', MODE: 'test', PROD: '', SSR: '1', VITEST_WORKER_ID: '1' };
    for (const [name, value] of Object.entries(usual)) env[name] ??= value;
  },
};
