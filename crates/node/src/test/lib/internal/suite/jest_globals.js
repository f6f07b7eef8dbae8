// `@jest/globals`.
'use strict';

const { names } = require('internal/suite/api');

const { afterAll, afterEach, beforeAll, beforeEach, describe, fdescribe, fit, it, test, xdescribe, xit, xtest } = names;

module.exports = {
  afterAll, afterEach, beforeAll, beforeEach, describe, expect: require('internal/expect/expect').expect, fdescribe, fit, it,
  jest: require('internal/suite/workshop').jest, test, xdescribe, xit, xtest,
};
