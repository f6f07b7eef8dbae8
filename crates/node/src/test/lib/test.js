// node:test. Tests run as soon as they are declared; see internal/test/harness for how they start
// and end.
'use strict';

const { hook, runInParentContext } = require('internal/test/harness');
const { Suite, Test } = require('internal/test/test');

const test = runInParentContext(Test);
const suite = runInParentContext(Suite);

function run(options) {
  return require('internal/test/runner').run(options);
}

module.exports = test;
Object.assign(test, {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  describe: suite,
  it: test,
  run,
  suite,
  test,
});

let mock;
Object.defineProperty(test, 'mock', {
  configurable: true,
  enumerable: true,
  get() {
    mock ??= new (require('internal/test/mock').MockTracker)();
    return mock;
  },
});
