// The globals that test files find, by the runner that they are written for.
'use strict';

const { names, state } = require('internal/suite/api');

const MOCHA = [
  'after', 'afterEach', 'before', 'beforeEach', 'context', 'describe', 'it', 'setup', 'specify', 'suite', 'suiteSetup', 'suiteTeardown',
  'teardown', 'test', 'xcontext', 'xdescribe', 'xit', 'xspecify',
];
const JEST = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'fdescribe', 'fit', 'it', 'test', 'xdescribe', 'xit', 'xtest'];
const VITEST = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'it', 'suite', 'test'];

function define(name, get) {
  const settle = (value) => Object.defineProperty(globalThis, name, { configurable: true, enumerable: false, writable: true, value });
  Object.defineProperty(globalThis, name, {
    configurable: true, enumerable: false, get() { const value = get(); settle(value); return value; }, set: settle,
  });
}

/// Test files and configurations in the syntax of ES modules use what CommonJS modules have, because their runners make
/// these of them. Packages do not: what they find out about their surroundings is true.
exports.defineModuleParts = function defineModuleParts() {
  const { Module, dirname, makeRequire } = require('internal/modules');
  const { callerFile } = require('internal/suite/failures');
  const parts = {
    __dirname: (file) => dirname(file),
    __filename: (file) => file,
    require(file) {
      const module = new Module(file);
      module.filename = file;
      module.paths = Module._nodeModulePaths(dirname(file));
      return makeRequire(module);
    },
  };
  for (const [name, of] of Object.entries(parts)) {
    const get = () => {
      const file = callerFile();
      return file === undefined || file.includes('/node_modules/') ? undefined : of(file);
    };
    const set = (value) => Object.defineProperty(globalThis, name, { configurable: true, enumerable: false, writable: true, value });
    Object.defineProperty(globalThis, name, { configurable: true, enumerable: false, get, set });
  }
};

exports.install = function install({ flavour, globals }) {
  state.isVitest = flavour === 'vitest';
  exports.defineModuleParts();
  if (globals === false) return;
  const lists = { jest: JEST, mocha: MOCHA, vitest: VITEST };
  for (const name of lists[flavour] ?? Object.keys(names)) define(name, () => names[name]);
  const { expect, jest, vi } = {
    expect: flavour !== 'mocha', jest: flavour !== 'mocha' && flavour !== 'vitest', vi: flavour === 'vitest' || flavour === undefined,
  };
  if (expect) define('expect', () => require('internal/expect/expect').expect);
  if (jest) define('jest', () => require('internal/suite/workshop').jest);
  if (vi) define('vi', () => require('internal/suite/workshop').vi);
};
