// `vitest`, as test files import it.
'use strict';

const { names } = require('internal/suite/api');
const project = require('internal/suite/project');
const { vi } = require('internal/suite/workshop');

const { afterAll, afterEach, beforeAll, beforeEach, describe, it, suite, test } = names;
const running = () => require('internal/suite/run').current();

const exported = {
  afterAll, afterEach, beforeAll, beforeEach, describe, it, suite, test, vi, vitest: vi,
  assertType() {},
  bench: Object.assign(() => {}, { only() {}, skip() {}, todo() {} }),
  createExpect: () => require('internal/expect/expect').expect,
  expect: require('internal/expect/expect').expect,
  expectTypeOf: () => typeless,
  inject: (key) => project.settings.provide?.[key],
  onTestFailed: (fn) => { running()?.failed.push(fn); },
  onTestFinished: (fn) => { running()?.finished.push(fn); },
};

// Types are none of a run's business: whatever is said of them holds.
const typeless = new Proxy(() => {}, { __proto__: null, apply: () => typeless, get: (_, key) => (key === 'then' ? undefined : typeless) });

const fromChai = (name) => {
  const chai = project.chai();
  if (chai !== undefined) return name === 'chai' ? chai : chai[name];
  return name === 'assert' ? require('assert') : undefined;
};
for (const name of ['assert', 'chai', 'should']) {
  Object.defineProperty(exported, name, { configurable: true, enumerable: true, get: () => fromChai(name) });
}

module.exports = exported;
