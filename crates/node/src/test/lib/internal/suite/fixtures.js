// What vitest's tests are given: the context, and fixtures of test.extend.
'use strict';

const { Skipped } = require('internal/suite/tree');

/// The context of one attempt.
function contextOf(test, attempt) {
  const context = {
    task: { file: { filepath: attempt.settings.file, name: attempt.settings.file }, id: test.place.join('.'), mode: 'run', name: test.name, result: { retryCount: test.attempt, state: 'run' }, type: 'test' },
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

// Where a function names the parts of its context: in its first parameter, or in the one behind a row of a table.
const FIRST = /^(?:async\s*)?(?:function\b[^(]*)?\(?\s*\{([^}]*)\}/;
const SECOND = /^(?:async\s*)?(?:function\b[^(]*)?\((?:[^()]*|.*?),\s*\{([^{}]*)\}\s*,?\s*\)/s;

// The names that a function takes out of its context; undefined if it takes all of it.
function wanted(fn, pattern = FIRST) {
  const text = Function.prototype.toString.call(fn);
  const [, inside] = pattern.exec(text) ?? [];
  return inside?.split(',').map((part) => part.split(/[:=]/)[0].trim()).filter((part) => part !== '' && !part.startsWith('...'));
}

/// The context with the fixtures that the test's function asks for.
async function prepare(test, attempt) {
  const { context } = attempt;
  const { fixtures, isFor } = test.options;
  if (fixtures === undefined) return context;
  const names = wanted(test.fn, isFor ? SECOND : FIRST) ?? [];
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
