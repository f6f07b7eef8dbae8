// `bun:test`.
'use strict';

const { names } = require('internal/suite/api');
const { jest, vi } = require('internal/suite/workshop');

const { afterAll, afterEach, beforeAll, beforeEach, describe, it, test, xdescribe, xit, xtest } = names;
const mock = Object.assign((implementation) => jest.fn(implementation), {
  clearAllMocks: () => jest.clearAllMocks(),
  module: (path, factory) => jest.mock(path, factory),
  restore: () => jest.restoreAllMocks(),
});

module.exports = {
  afterAll, afterEach, beforeAll, beforeEach, describe, expect: require('internal/expect/expect').expect, it, jest, mock,
  setDefaultTimeout: (ms) => jest.setTimeout(ms),
  setSystemTime: systemTime,
  spyOn: jest.spyOn, test, vi, xdescribe, xit, xtest,
};

// Only the date stands still, or is as it was without an argument.
function systemTime(now) {
  if (now === undefined) jest.useRealTimers();
  else jest.useFakeTimers({ now, toFake: ['Date'] });
}
