// What the programs of this folder check with. Each prints one line for every check, so that one that was
// never made is missed.
'use strict';

const show = (value) => {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value instanceof Error) return `${value.name}`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.keys(value).map((key) => `${key}: ${show(value[key])}`).join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
};

// Equal values, and arrays and plain objects with equal parts.
exports.same = (name, actual, expected) => {
  const equal = Object.is(actual, expected) || (typeof expected === 'object' && show(actual) === show(expected));
  console.log(equal ? `ok ${name}` : `failed ${name}: expected ${show(expected)}, got ${show(actual)}`);
};

exports.throws = (name, act, Kind) => {
  try {
    act();
  } catch (error) {
    exports.same(name, error instanceof Kind ? Kind.name : error, Kind.name);
    return;
  }
  console.log(`failed ${name}: nothing was thrown`);
};

// Rejects with an error of a kind, or with exactly that value.
exports.rejects = async (name, promise, expected) => {
  try {
    await promise;
  } catch (error) {
    if (typeof expected === 'function') exports.same(name, error instanceof expected ? expected.name : error, expected.name);
    else exports.same(name, error, expected);
    return;
  }
  console.log(`failed ${name}: it was fulfilled`);
};

// A text that is no function's body.
exports.isSyntaxError = (name, body) => exports.throws(name, () => new Function(body), SyntaxError);
