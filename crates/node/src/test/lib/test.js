// node:test. Tests run as soon as they are declared; see internal/test/harness for how they start
// and end.
'use strict';

const { hook, runInParentContext } = require('internal/test/harness');
const { Suite, Test } = require('internal/test/test');

const test = runInParentContext(Test);
const suite = runInParentContext(Suite);

// Node starts a process per file here; Hemiola runs one program.
function run(options) {
  const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
  throw new ERR_METHOD_NOT_IMPLEMENTED('run()');
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
