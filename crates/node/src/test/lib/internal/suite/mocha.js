// `mocha`, as test files import it.
'use strict';

const { names } = require('internal/suite/api');

const {
  after, afterEach, before, beforeEach, context, describe, it, setup, specify, suite, suiteSetup, suiteTeardown, teardown, test, xcontext,
  xdescribe, xit, xspecify,
} = names;

module.exports = {
  after, afterEach, before, beforeEach, context, describe, it, run() {}, setup, specify, suite, suiteSetup, suiteTeardown, teardown, test,
  xcontext, xdescribe, xit, xspecify,
};
