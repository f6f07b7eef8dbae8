// expect(): a value, and what is expected of it.
'use strict';

const { custom, extended, invertible, plain } = require('internal/expect/asymmetric');
const equality = require('internal/expect/equals');
const messages = require('internal/expect/messages');
const { stringify } = require('internal/expect/print');

const { current, unmet } = require('internal/expect/state');

const matchers = new Map();

/// What a test learns when an expectation is not met.
class ExpectationError extends Error {
  constructor(message, result) {
    super(message);
    Object.defineProperty(this, 'name', { configurable: true, enumerable: false, writable: true, value: 'Error' });
    const { actual, expected, name, pass } = result;
    Object.defineProperty(this, 'matcherResult', {
      configurable: true, enumerable: false, writable: true,
      value: { actual, expected, message, name, pass },
    });
  }
}

const utils = {
  get DIM_COLOR() { return (text) => text; },
  EXPECTED_COLOR: (text) => text,
  RECEIVED_COLOR: (text) => text,
  INVERTED_COLOR: (text) => text,
  BOLD_WEIGHT: (text) => text,
  diff: (a, b) => require('internal/expect/diff').diffValues(a, b),
  ensureNoExpected() {},
  getLabelPrinter: (...texts) => {
    const width = Math.max(...texts.map((text) => text.length));
    return (text) => `${text}: ${' '.repeat(width - text.length)}`;
  },
  iterableEquality: equality.iterableEquality,
  matcherErrorMessage: (hinted, generic, specific) => `${hinted}\n\nMatcher error: ${generic}${specific === undefined ? '' : `\n\n${specific}`}`,
  matcherHint: messages.hint,
  pluralize: (word, count) => `${count} ${word}${count === 1 ? '' : 's'}`,
  printDiffOrStringify: messages.difference,
  printExpected: messages.printed,
  printReceived: messages.printed,
  printWithType: messages.withType,
  stringify: (value, depth, width) => stringify(value, depth, width),
  subsetEquality: equality.subsetEquality,
};

/// What a matcher finds in `this`, besides what it is called for.
function context() {
  return {
    ...current(),
    customTesters: custom,
    dontThrow() {},
    equals: (a, b, testers, isStrict) => equality.equals(a, b, [...custom, ...testers ?? []], isStrict),
    error: undefined,
    expand: false,
    isNot: false,
    promise: '',
    utils,
  };
}

// Calls a matcher, and throws if its answer is not the one that was expected.
function check(name, matcher, expectation, args) {
  const { actual, isNot, promise } = expectation;
  const own = expectation.state;
  own.assertionCalls++;
  const told = { ...context(), ...own, isNot, promise, expectation };
  const result = Reflect.apply(matcher, told, [actual, ...args]);
  if (typeof result?.then === 'function') {
    return result.then((settled) => judge(name, settled, expectation));
  }
  judge(name, result, expectation);
  return undefined;
}

function judge(name, result, expectation) {
  const isResult = result !== null && typeof result === 'object' && typeof result.pass === 'boolean';
  if (!isResult) {
    throw new Error(
      `Unexpected return from a matcher function.\nMatcher functions should return an object in the following format:\n` +
      `  {message: string | function, pass: boolean}\n'${stringify(result)}' was returned`);
  }
  if (result.pass !== expectation.isNot) return;
  const words = typeof result.message === 'function' ? result.message() : result.message;
  const given = words ?? messages.hint(name);
  const message = expectation.words === undefined ? given : `${expectation.words}\n\n${given}`;
  const error = new ExpectationError(message, { actual: expectation.actual, ...result });
  if (expectation.isSoft) expectation.state.soft.push(error);
  else throw error;
}

class Expectation {
  constructor(actual, { isNot = false, promise = '', words, isSoft = false, own = current() } = {}) {
    // Not enumerable: an expectation that somebody prints shows matchers only.
    const fields = { actual, isNot, isSoft, promise, state: own, words };
    for (const [key, value] of Object.entries(fields)) Object.defineProperty(this, key, { __proto__: null, value, writable: true });
  }

  get #options() {
    return { isNot: this.isNot, isSoft: this.isSoft, own: this.state, promise: this.promise, words: this.words };
  }

  get not() {
    return new Expectation(this.actual, { ...this.#options, isNot: !this.isNot });
  }

  get resolves() {
    return promised(this, this.#options, 'resolves');
  }

  get rejects() {
    return promised(this, this.#options, 'rejects');
  }
}

// Expectations of what a promise is settled with: each matcher gives a promise.
function promised(expectation, options, kind) {
  const make = (isNot) => {
    const target = {};
    if (!isNot) Object.defineProperty(target, 'not', { __proto__: null, get: () => make(true) });
    return new Proxy(target, {
      __proto__: null,
      get(object, name) {
        if (name === 'not' && !isNot) return object.not;
        const matcher = matchers.get(name);
        if (matcher === undefined) return undefined;
        return (...args) => {
          // Made here, so that its stack shows who expected it.
          const outer = new Error();
          return settle(expectation.actual, kind, { ...options, isNot }, name, matcher, args, outer);
        };
      },
    });
  };
  return make(options.isNot);
}

async function settle(actual, kind, options, name, matcher, args, outer) {
  const hinted = () => messages.hint(name, undefined, '', { isNot: options.isNot, promise: kind });
  const given = typeof actual === 'function' && kind === 'rejects' ? actual() : actual;
  if (typeof given?.then !== 'function') {
    const what = kind === 'rejects' ? 'a promise or a function returning a promise' : 'a promise';
    throw placed(messages.misuse(hinted(), `received value must be ${what}`, messages.withType('Received', given)), outer);
  }
  let value;
  let failed = false;
  try {
    value = await given;
  } catch (error) {
    failed = true;
    value = error;
  }
  if (failed !== (kind === 'rejects')) {
    options.own.assertionCalls++;
    const words = failed ? 'Received promise rejected instead of resolved\nRejected to value:' : 'Received promise resolved instead of rejected\nResolved to value:';
    throw placed(new ExpectationError(`${hinted()}\n\n${words} ${messages.printed(value)}`, { pass: false }), outer);
  }
  try {
    return await check(name, matcher, new Expectation(value, { ...options, promise: kind }), args);
  } catch (error) {
    throw error instanceof ExpectationError ? placed(error, outer) : error;
  }
}

// The error with the stack of the call that expected something.
function placed(error, outer) {
  const frames = String(outer.stack).split('\n').slice(1).join('\n');
  Object.defineProperty(error, 'stack', { configurable: true, enumerable: false, writable: true, value: `${error.name}: ${error.message}\n${frames}` });
  return error;
}

function define(name, matcher) {
  matchers.set(name, matcher);
  Object.defineProperty(Expectation.prototype, name, {
    configurable: true,
    enumerable: true,
    writable: true,
    value: { [name](...args) { return check(name, matcher, this, args); } }[name],
  });
}

function defineAll(found) {
  for (const [name, matcher] of Object.entries(found)) define(name, matcher);
}

// The words of chai, where the project has it.
const CHAINS = ['to', 'be', 'been', 'is', 'that', 'has', 'have', 'does', 'deep', 'include', 'contain', 'equal', 'eql', 'exist', 'a', 'an'];

function defineChains() {
  for (const name of CHAINS) {
    Object.defineProperty(Expectation.prototype, name, {
      configurable: true,
      enumerable: false,
      get() {
        const chai = require('internal/suite/project').chai();
        if (chai === undefined) {
          throw new Error(`expect(...).${name} is an assertion of chai, which this project does not have: npm install --save-dev chai`);
        }
        this.state.assertionCalls++;
        const assertion = chai.expect(this.actual, this.words);
        return (this.isNot ? assertion.not : assertion)[name];
      },
    });
  }
}

// `expect` of whichever test runs, or of the one whose state is given.
function makeExpect(stateOf) {
  const expect = (actual, words) => new Expectation(actual, { own: stateOf(), words });
  Object.assign(expect, plain, invertible(false), {
    not: invertible(true),
    addEqualityTesters(testers) {
      custom.push(...testers);
    },
    addSnapshotSerializer(serializer) {
      require('internal/suite/snapshots').addSerializer(serializer);
    },
    assertions(count) {
      stateOf().expectedAssertionsNumber = count;
    },
    extend(found) {
      for (const [name, matcher] of Object.entries(found)) {
        if (typeof matcher !== 'function') {
          throw new TypeError(`expect.extend: \`${name}\` is not a valid matcher. Must be a function, is "${messages.typeOf(matcher)}"`);
        }
        define(name, matcher);
        for (const each of shared) {
          each[name] = extended(name, matcher, false);
          each.not[name] = extended(name, matcher, true);
        }
      }
    },
    extractExpectedAssertionsErrors() {
      const error = unmet(stateOf());
      return error === undefined ? [] : [{ actual: `${stateOf().assertionCalls}`, error, expected: `${stateOf().expectedAssertionsNumber}` }];
    },
    fail(message) {
      throw new Error(message ?? 'expect.fail()');
    },
    getState: () => stateOf(),
    hasAssertions() {
      stateOf().isExpectingAssertions = true;
    },
    poll: (fn, options) => require('internal/expect/poll').poll(fn, options, expect),
    setState(change) {
      Object.assign(stateOf(), change);
    },
    soft: (actual, words) => new Expectation(actual, { isSoft: true, own: stateOf(), words }),
    unreachable(message) {
      throw new Error(`expected ${message === undefined ? '' : `"${message}" `}not to be reached`);
    },
  });
  shared.push(expect);
  return expect;
}
const shared = [];

defineAll(require('internal/expect/matchers'));
defineAll(require('internal/expect/throws'));
defineAll(require('internal/expect/calls'));
defineAll(require('internal/expect/more'));
defineAll(require('internal/expect/snapshot_matchers'));
defineChains();

module.exports = {
  context,
  expect: makeExpect(current),
  /// `expect` for one test, whichever others run meanwhile.
  expectOf: (own) => makeExpect(() => own),
};
