// Assertions of a test's context name their call.
const { test } = require('node:test');

test('fails', (t) => {
  t.assert.ok(1 === 2);
});
test('fails where stacks are short', (t) => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  try {
    t.assert.ok(typeof t === 'string');
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
});
