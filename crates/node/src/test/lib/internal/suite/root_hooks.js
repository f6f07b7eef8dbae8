// Hooks around all tests that mocha takes from what files export which it is told to require.
'use strict';

const { names } = require('internal/suite/api');

const KINDS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];

/// Declares the hooks that a file exports, which has been loaded.
async function take(file) {
  const module = await import(binding.fileUrl(file));
  const exported = (name) => module[name] ?? module.default?.[name];
  const [before, after, given] = ['mochaGlobalSetup', 'mochaGlobalTeardown', 'mochaHooks'].map(exported);
  const context = {};
  for (const fn of listOf(before)) names.beforeAll(() => fn.call(context));
  const hooks = typeof given === 'function' ? await given() : given;
  for (const kind of KINDS) {
    for (const fn of listOf(hooks?.[kind])) names[kind](fn);
  }
  for (const fn of listOf(after)) names.afterAll(() => fn.call(context));
}

function listOf(value) {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

module.exports = { take };
