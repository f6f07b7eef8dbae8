// Matchers that compare with what an earlier run has kept.
'use strict';

const { difference, hint, misuse, printed, withType } = require('internal/expect/messages');

const snapshots = () => require('internal/suite/snapshots');

// The value, or what a function throws.
function thrownBy(context, name, received) {
  if (context.promise === 'rejects') return received;
  if (typeof received !== 'function') {
    if (context.promise !== '') return received;
    throw misuse(hint(name, undefined, '', about(context)), 'received value must be a function', withType('Received', received));
  }
  try {
    received();
  } catch (error) {
    return error;
  }
  throw new Error(`${hint(name, undefined, '', about(context))}\n\nReceived function did not throw`);
}

const about = (context) => ({ isNot: context.isNot, promise: context.promise });

function refuseNot(context, name) {
  if (!context.isNot) return;
  throw misuse(hint(name, undefined, '', about(context)), 'Snapshot matchers cannot be used with not');
}

function compare(context, name, received, { properties, hint: words, inline, isInline, error }) {
  refuseNot(context, name);
  const { equals } = context;
  let value = received;
  if (properties !== undefined && properties !== null) {
    const { iterableEquality, subsetEquality } = context.utils;
    if (!equals(received, properties, [iterableEquality, subsetEquality])) {
      return { pass: false, message: () => `${hint(name, undefined, 'properties', about(context))}\n\n${difference(properties, received, 'Expected', 'Received')}` };
    }
    value = merged(received, properties);
  }
  const result = snapshots().match({ error, expectation: context.expectation, hint: words, inline, isInline, name, received: value });
  if (result.pass) return { pass: true, message: () => '' };
  return { pass: false, message: () => `${hint(name, undefined, isInline ? 'snapshot' : '', about(context))}\n\n${result.text}` };
}

// The value with the matchers of the properties in place.
function merged(received, properties) {
  if (typeof received !== 'object' || received === null) return received;
  const copy = Array.isArray(received) ? [...received] : { ...received };
  for (const [key, value] of Object.entries(properties)) {
    const isPart = typeof value === 'object' && value !== null && typeof value.asymmetricMatch !== 'function' && !Array.isArray(value);
    copy[key] = isPart && Object.hasOwn(copy, key) ? merged(copy[key], value) : value;
  }
  return copy;
}

module.exports = {
  toMatchSnapshot(received, ...args) {
    const words = args.find((arg) => typeof arg === 'string');
    const properties = args.find((arg) => typeof arg === 'object');
    return compare(this, 'toMatchSnapshot', received, { hint: words, properties });
  },
  toMatchInlineSnapshot(received, ...args) {
    const properties = args.find((arg) => typeof arg === 'object');
    const inline = args.find((arg) => typeof arg === 'string');
    return compare(this, 'toMatchInlineSnapshot', received, { error: new Error(), inline, isInline: true, properties });
  },
  toThrowErrorMatchingSnapshot(received, words) {
    const thrown = thrownBy(this, 'toThrowErrorMatchingSnapshot', received);
    return compare(this, 'toThrowErrorMatchingSnapshot', snapshots().ofError(thrown), { hint: words });
  },
  toThrowErrorMatchingInlineSnapshot(received, inline) {
    const error = new Error();
    const thrown = thrownBy(this, 'toThrowErrorMatchingInlineSnapshot', received);
    return compare(this, 'toThrowErrorMatchingInlineSnapshot', snapshots().ofError(thrown), { error, inline, isInline: true });
  },
  async toMatchFileSnapshot(received, path) {
    refuseNot(this, 'toMatchFileSnapshot');
    const result = snapshots().matchFile(await received, path);
    return { pass: result.pass, message: () => `${hint('toMatchFileSnapshot', undefined, printed(path), about(this))}\n\n${result.text}` };
  },
};
