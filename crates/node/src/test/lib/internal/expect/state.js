// What is known of the expectations of the test that is running.
'use strict';

function newState() {
  return { assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false, soft: [], suppressedErrors: [] };
}

let state = newState();

/// Looks at what a test said about its assertions, once it is over; gives an error or nothing.
function unmet({ assertionCalls, expectedAssertionsNumber, isExpectingAssertions }) {
  if (expectedAssertionsNumber !== null && assertionCalls !== expectedAssertionsNumber) {
    const counted = (count) => (count === 1 ? 'one assertion' : `${count === 0 ? 'zero' : count} assertions`);
    const calls = assertionCalls === 1 ? 'one assertion call' : `${assertionCalls === 0 ? 'zero' : assertionCalls} assertion calls`;
    return new Error(`expect.assertions(${expectedAssertionsNumber})\n\n` +
      `Expected ${counted(expectedAssertionsNumber)} to be called but received ${calls}.`);
  }
  if (isExpectingAssertions && assertionCalls === 0) {
    return new Error('expect.hasAssertions()\n\nExpected at least one assertion to be called but received none.');
  }
  return undefined;
}

module.exports = {
  current: () => state,
  newState,
  unmet,
  /// Makes a state the one of the running test.
  use(next) {
    state = next;
  },
};
