// Matchers about mock functions: how they were called, and what came of it.
'use strict';

const { custom } = require('internal/expect/asymmetric');
const { equals, isAsymmetric, iterableEquality } = require('internal/expect/equals');
const { difference, hint, misuse, printed, withType } = require('internal/expect/messages');

const MOST = 3;

const isMock = (value) => typeof value === 'function' && value._isMockFunction === true;
// sinon's and jasmine's spies have their calls elsewhere.
const isSpy = (value) => typeof value?.calls?.all === 'function' && typeof value.calls.count === 'function';
const callsOf = (value) => (isMock(value) ? value.mock.calls : value.calls.all().map((call) => call.args));
const nameOf = (value) => (isMock(value) ? value.getMockName() : 'spy');

const sameArgs = (expected, args) => equals(expected, args, [...custom, iterableEquality]);
const listed = (args) => args.map((arg) => printed(arg)).join(', ');
const shownArgs = (args) => (args.length === 0 ? 'called with 0 arguments' : listed(args));

function demand(context, name, expected, received, allowsSpy) {
  if (isMock(received) || (allowsSpy && isSpy(received))) return;
  const kinds = allowsSpy ? 'a mock or spy function' : 'a mock function';
  throw misuse(hint(name, undefined, expected, about(context)), `received value must be ${kinds}`, withType('Received', received));
}

const about = (context) => ({ isNot: context.isNot, promise: context.promise });

// For the hint: the name of the function, unless it is any.
const receivedName = (received) => {
  const name = nameOf(received);
  return name === 'vi.fn()' ? 'spy' : name;
};

function refuseArgument(context, name, expected) {
  if (expected === undefined) return;
  throw misuse(hint(name, undefined, '', about(context)), 'this matcher must not have an expected argument', withType('Expected', expected));
}

function refuseCount(context, name, received, expected) {
  if (Number.isSafeInteger(expected) && expected >= 0) return;
  throw misuse(hint(name, undefined, undefined, about(context)), 'expected value must be a non-negative integer', withType('Expected', expected));
}

function toHaveBeenCalled(name) {
  return function (received, expected) {
    refuseArgument(this, name, expected);
    demand(this, name, '', received, true);
    const calls = callsOf(received);
    const hinted = hint(name, receivedName(received), '', about(this));
    return {
      pass: calls.length > 0,
      message: calls.length > 0
        ? () => `${hinted}\n\nExpected number of calls: 0\nReceived number of calls: ${calls.length}\n\n` +
          calls.slice(0, MOST).map((args, at) => `${at + 1}: ${shownArgs(args)}`).join('\n')
        : () => `${hinted}\n\nExpected number of calls: >= 1\nReceived number of calls:    ${calls.length}`,
    };
  };
}

function toHaveBeenCalledTimes(name, fixed) {
  return function (received, given) {
    const expected = fixed ?? given;
    if (fixed === undefined) refuseCount(this, name, received, expected);
    demand(this, name, undefined, received, true);
    const count = callsOf(received).length;
    const hinted = hint(name, receivedName(received), fixed === undefined ? undefined : '', about(this));
    return {
      pass: count === expected,
      message: count === expected
        ? () => `${hinted}\n\nExpected number of calls: not ${expected}`
        : () => `${hinted}\n\nExpected number of calls: ${expected}\nReceived number of calls: ${count}`,
    };
  };
}

const same = (a, b) => equals(a, b, [...custom, iterableEquality]);

// Whether two arguments differ in what they hold.
const differInside = (a, b) => typeof a === 'object' && typeof b === 'object' && a !== null && b !== null &&
  Array.isArray(a) === Array.isArray(b) && !isAsymmetric(a) && !same(a, b);

// What was expected beside what was received.
function callDifference(expected, args) {
  if (expected.length === args.length && expected.some((arg, at) => differInside(arg, args[at]))) {
    return difference(expected, args, 'Expected', 'Received');
  }
  return `Expected: ${shownArgs(expected)}\nReceived: ${shownArgs(args)}`;
}

// Some calls with their numbers; the one that it is about has a mark.
function lines(entries, isNot, marked, print = shownArgs) {
  const width = `${Math.max(...entries.map(([at]) => at + 1))}`.length;
  return `Received\n${entries.map(([at, value]) =>
    `${at === marked ? '->     ' : '       '}${`${at + 1}`.padStart(width)}: ${isNot ? '    ' : ''}${print(value)}`).join('\n')}\n`;
}

const entriesOf = (list) => list.map((value, at) => [at, value]);
const around = (list, index) => entriesOf(list).filter(([at]) => Math.abs(at - index) <= 1);

function toHaveBeenCalledWith(name) {
  return function (received, ...expected) {
    demand(this, name, '...expected', received, true);
    const calls = callsOf(received);
    const pass = calls.some((args) => sameArgs(expected, args));
    const told = () => {
      if (pass) {
        const found = entriesOf(calls).filter(([, args]) => sameArgs(expected, args)).slice(0, MOST);
        const isPlain = calls.length === 1 && listed(calls[0]) === listed(expected);
        const shown = isPlain ? '' : calls.length === 1 ? `Received:     ${shownArgs(calls[0])}\n` : lines(found, true);
        return `Expected: not ${shownArgs(expected)}\n${shown}`;
      }
      if (calls.length === 1) return `${callDifference(expected, calls[0])}\n`;
      return `Expected: ${shownArgs(expected)}\n${calls.length === 0 ? '' : lines(entriesOf(calls).slice(0, MOST), false)}`;
    };
    const hinted = hint(name, receivedName(received), '...expected', about(this));
    return { pass, message: () => `${hinted}\n\n${told()}\nNumber of calls: ${calls.length}` };
  };
}

// The call at an index, with those around it.
function toldOfCall(calls, index, expected, pass) {
  const args = calls[index];
  if (pass) {
    const shown = calls.length > 1 ? lines(around(calls, index), true, index)
      : listed(args) === listed(expected) ? '' : `Received:     ${shownArgs(args)}\n`;
    return `Expected: not ${shownArgs(expected)}\n${shown}`;
  }
  if (calls.length === 1 && args !== undefined) return `${callDifference(expected, args)}\n`;
  const near = around(calls, index);
  return `Expected: ${shownArgs(expected)}\n${near.length === 0 ? '' : lines(near, false, index)}`;
}

function toHaveBeenLastCalledWith(name) {
  return function (received, ...expected) {
    demand(this, name, '...expected', received, true);
    const calls = callsOf(received);
    const index = calls.length - 1;
    const pass = index >= 0 && sameArgs(expected, calls[index]);
    const hinted = hint(name, receivedName(received), '...expected', about(this));
    return { pass, message: () => `${hinted}\n\n${toldOfCall(calls, index, expected, pass)}\nNumber of calls: ${calls.length}` };
  };
}

function toHaveBeenNthCalledWith(name) {
  return function (received, number, ...expected) {
    demand(this, name, 'n', received, true);
    const options = { ...about(this), secondArgument: '...expected' };
    if (!Number.isSafeInteger(number) || number < 1) {
      throw misuse(hint(name, undefined, 'n', options), 'n must be a positive integer', withType('n', number));
    }
    const calls = callsOf(received);
    const pass = number <= calls.length && sameArgs(expected, calls[number - 1]);
    const hinted = hint(name, receivedName(received), 'n', options);
    return {
      pass,
      message: () => `${hinted}\n\nn: ${number}\n${toldOfCall(calls, number - 1, expected, pass)}\nNumber of calls: ${calls.length}`,
    };
  };
}

const returned = (received) => received.mock.results.filter(({ type }) => type === 'return');

function toHaveReturned(name, valuesOf = returned, words = 'returns') {
  return function (received, expected) {
    refuseArgument(this, name, expected);
    demand(this, name, '', received, false);
    const count = valuesOf(received).length;
    const calls = received.mock.calls.length;
    const hinted = hint(name, receivedName(received), '', about(this));
    const tail = calls === count ? '' : `\nReceived number of calls:   ${words === 'returns' ? '' : ' '}${this.isNot ? '' : '   '}${calls}`;
    return {
      pass: count > 0,
      message: count > 0
        ? () => `${hinted}\n\nExpected number of ${words}: 0\nReceived number of ${words}: ${count}\n\n${
          valuesOf(received).slice(0, MOST).map(({ value }, at) => `${at + 1}: ${printed(value)}`).join('\n')}${tail}`
        : () => `${hinted}\n\nExpected number of ${words}: >= 1\nReceived number of ${words}:    ${count}${tail}`,
    };
  };
}

function toHaveReturnedTimes(name, valuesOf = returned, words = 'returns') {
  return function (received, expected) {
    refuseCount(this, name, received, expected);
    demand(this, name, undefined, received, false);
    const count = valuesOf(received).length;
    const calls = received.mock.calls.length;
    const hinted = hint(name, receivedName(received), undefined, about(this));
    const tail = calls === count ? '' : `\nReceived number of calls:   ${this.isNot ? '    ' : ''}${calls}`;
    return {
      pass: count === expected,
      message: count === expected
        ? () => `${hinted}\n\nExpected number of ${words}: not ${expected}${tail}`
        : () => `${hinted}\n\nExpected number of ${words}: ${expected}\nReceived number of ${words}: ${count}${tail}`,
    };
  };
}

const resultText = (result) => {
  if (result === undefined || result.type === 'incomplete') return 'function call has not returned yet';
  return result.type === 'throw' ? 'function call threw an error' : printed(result.value);
};

function toHaveReturnedWith(name, pick, head = () => '') {
  return function (received, ...given) {
    demand(this, name, pick.isNth ? 'n' : undefined, received, false);
    const expected = given.at(pick.isNth ? 1 : 0);
    const options = pick.isNth ? { ...about(this), secondArgument: 'expected' } : about(this);
    const { results } = received.mock;
    if (pick.isNth && (!Number.isSafeInteger(given[0]) || given[0] < 1)) {
      throw misuse(hint(name, undefined, 'n', options), 'n must be a positive integer', withType('n', given[0]));
    }
    const candidates = pick.of(results, given[0]);
    const fits = (result) => result?.type === 'return' && same(result.value, expected);
    const pass = candidates.some(fits);
    const hinted = hint(name, receivedName(received), pick.isNth ? 'n' : undefined, options);
    const count = returned(received).length;
    const calls = received.mock.calls.length;
    const tail = `\nNumber of returns: ${count}${calls === count ? '' : `\nNumber of calls:   ${calls}`}`;
    return {
      pass,
      message: () => {
        const index = pick.isOne ? results.indexOf(candidates[0]) : undefined;
        const shown = pick.isOne ? around(results, index) : entriesOf(results).filter(([, result]) => !pass || fits(result)).slice(0, MOST);
        const [only] = results;
        const isPlain = results.length === 1 && pass && printed(only.value) === printed(expected);
        const told = results.length === 0 || isPlain || (pick.isOne && candidates.length === 0) ? ''
          : results.length === 1 ? `Received: ${this.isNot ? '    ' : ''}${resultText(only)}\n`
          : lines(shown, this.isNot, index, resultText);
        return `${hinted}\n\n${head(given)}Expected: ${this.isNot ? 'not ' : ''}${printed(expected)}\n${told}${tail}`;
      },
    };
  };
}

const ANY = { of: (results) => results };
const LAST = { isOne: true, of: (results) => results.slice(-1) };
const NTH = { isNth: true, isOne: true, of: (results, number) => results.slice(number - 1, number) };
const nth = ([number]) => `n: ${number}\n`;

module.exports = {
  lastCalledWith: toHaveBeenLastCalledWith('lastCalledWith'),
  lastReturnedWith: toHaveReturnedWith('lastReturnedWith', LAST),
  nthCalledWith: toHaveBeenNthCalledWith('nthCalledWith'),
  nthReturnedWith: toHaveReturnedWith('nthReturnedWith', NTH, nth),
  toBeCalled: toHaveBeenCalled('toBeCalled'),
  toBeCalledTimes: toHaveBeenCalledTimes('toBeCalledTimes'),
  toBeCalledWith: toHaveBeenCalledWith('toBeCalledWith'),
  toHaveBeenCalled: toHaveBeenCalled('toHaveBeenCalled'),
  toHaveBeenCalledOnce: toHaveBeenCalledTimes('toHaveBeenCalledOnce', 1),
  toHaveBeenCalledTimes: toHaveBeenCalledTimes('toHaveBeenCalledTimes'),
  toHaveBeenCalledWith: toHaveBeenCalledWith('toHaveBeenCalledWith'),
  toHaveBeenLastCalledWith: toHaveBeenLastCalledWith('toHaveBeenLastCalledWith'),
  toHaveBeenNthCalledWith: toHaveBeenNthCalledWith('toHaveBeenNthCalledWith'),
  toHaveLastReturnedWith: toHaveReturnedWith('toHaveLastReturnedWith', LAST),
  toHaveNthReturnedWith: toHaveReturnedWith('toHaveNthReturnedWith', NTH, nth),
  toHaveReturned: toHaveReturned('toHaveReturned'),
  toHaveReturnedTimes: toHaveReturnedTimes('toHaveReturnedTimes'),
  toHaveReturnedWith: toHaveReturnedWith('toHaveReturnedWith', ANY),
  toReturn: toHaveReturned('toReturn'),
  toReturnTimes: toHaveReturnedTimes('toReturnTimes'),
  toReturnWith: toHaveReturnedWith('toReturnWith', ANY),
};
