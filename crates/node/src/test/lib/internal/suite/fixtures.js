// What vitest's tests are given: the context, and fixtures of test.extend.
'use strict';

const { Skipped } = require('internal/suite/tree');

/// The context of one attempt.
function contextOf(test, attempt) {
  const context = {
    task: { file: { filepath: attempt.settings.file, name: attempt.settings.file }, id: test.place.join('.'), mode: 'run', name: test.name, result: undefined, type: 'test' },
    annotate: async () => {},
    onTestFailed: (fn) => { attempt.failed.push(fn); },
    onTestFinished: (fn) => { attempt.finished.push(fn); },
    skip(condition, reason) {
      if (condition === false) return;
      throw new Skipped(typeof condition === 'string' ? condition : reason);
    },
  };
  let expect;
  Object.defineProperty(context, 'expect', {
    configurable: true,
    enumerable: true,
    get: () => (expect ??= require('internal/expect/expect').expectOf(attempt.state)),
  });
  return context;
}

// The names that a function takes out of its first parameter; undefined if it takes all of it.
function wanted(fn) {
  const text = Function.prototype.toString.call(fn);
  const [, inside] = /^(?:async\s*)?(?:function\b[^(]*)?\(?\s*\{([^}]*)\}/.exec(text) ?? [];
  return inside?.split(',').map((part) => part.split(/[:=]/)[0].trim()).filter((part) => part !== '' && !part.startsWith('...'));
}

/// The context with the fixtures that the test's function asks for.
async function prepare(test, attempt) {
  const { context } = attempt;
  const { fixtures } = test.options;
  if (fixtures === undefined) return context;
  const names = wanted(test.fn) ?? [];
  const automatic = Object.keys(fixtures).filter((name) => Array.isArray(fixtures[name]) && fixtures[name][1]?.auto);
  for (const name of [...automatic, ...names]) await provide(name, fixtures, attempt, []);
  return context;
}

async function provide(name, fixtures, attempt, around) {
  const { context } = attempt;
  if (!Object.hasOwn(fixtures, name) || Object.hasOwn(context, name)) return;
  if (around.includes(name)) throw new Error(`the fixtures ${[...around, name].join(' and ')} need each other`);
  const given = fixtures[name];
  const fixture = Array.isArray(given) && given.length === 2 && typeof given[1] === 'object' && given[1] !== null ? given[0] : given;
  if (typeof fixture !== 'function') {
    context[name] = fixture;
    return;
  }
  for (const other of wanted(fixture) ?? []) await provide(other, fixtures, attempt, [...around, name]);
  const used = Promise.withResolvers();
  const over = Promise.withResolvers();
  const through = Promise.resolve(fixture(context, (value) => {
    context[name] = value;
    used.resolve();
    return over.promise;
  }));
  through.catch(used.reject);
  await Promise.race([used.promise, through]);
  attempt.finished.push(async () => {
    over.resolve();
    await through;
  });
}

module.exports = { contextOf, prepare };
