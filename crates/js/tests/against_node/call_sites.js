// What `assert.ok` and stacks tell of who calls.
const assert = require('assert');

const attempt = (fn) => {
  try {
    console.log(fn());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

// What `assert.ok` says does not depend on what the program wants stacks to be.
{
  const { stackTraceLimit } = Error;
  for (const [limit, prepare] of [[0, undefined], [stackTraceLimit, (error, sites) => sites.length], ['x', undefined]]) {
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = prepare;
    attempt(() => assert.ok(null));
    attempt(() => assert(limit === 'nothing'));
    console.log(Error.stackTraceLimit, Error.prepareStackTrace === prepare);
  }
  Error.prepareStackTrace = undefined;
  Error.stackTraceLimit = stackTraceLimit;
}

// Who waits is shown also above a function that is not to be seen.
async function inner() {
  await null;
  const place = {};
  Error.captureStackTrace(place, inner);
  return place.stack;
}
const outer = async () => await inner();
const waiting = async () => {
  console.log((await outer()).replace(/ \(.*\)|\n.*processTicksAndRejections.*/g, ''));
};

waiting();
