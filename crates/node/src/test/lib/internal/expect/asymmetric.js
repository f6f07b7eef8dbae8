// Matchers that stand for many values inside of an expected one: expect.any(Number) and its kin.
'use strict';

const { equals, hasKey, iterableEquality } = require('internal/expect/equals');

const KIND = Symbol.for('jest.asymmetricMatcher');

/// The testers of values that a test file has added.
const custom = [];

class AsymmetricMatcher {
  constructor(sample, isInverse = false) {
    this.$$typeof = KIND;
    this.sample = sample;
    this.inverse = isInverse;
  }

  getMatcherContext() {
    const { context } = require('internal/expect/expect');
    return { ...context(), isNot: this.inverse };
  }
}

const negated = (matcher) => (matcher.inverse ? 'Not' : '');

const BOXED = new Map([
  [String, 'string'], [Number, 'number'], [Function, 'function'], [Boolean, 'boolean'], [BigInt, 'bigint'], [Symbol, 'symbol'],
]);

class Any extends AsymmetricMatcher {
  constructor(sample) {
    if (sample === undefined) {
      throw new TypeError('any() expects to be passed a constructor function. Please pass one or use anything() to match any object.');
    }
    super(sample);
  }

  asymmetricMatch(other) {
    const type = BOXED.get(this.sample);
    if (type !== undefined) return typeof other === type || other instanceof this.sample;
    if (this.sample === Object) return typeof other === 'object';
    if (this.sample === Array) return Array.isArray(other);
    return other instanceof this.sample;
  }

  toString() {
    return 'Any';
  }

  getExpectedType() {
    return BOXED.get(this.sample) ?? (this.sample === Object ? 'object' : this.sample === Array ? 'array' : this.sample.name || '<anonymous>');
  }

  toAsymmetricMatcher() {
    return `Any<${this.sample.name || '<anonymous>'}>`;
  }
}

class Anything extends AsymmetricMatcher {
  asymmetricMatch(other) {
    return other !== null && other !== undefined;
  }

  toString() {
    return 'Anything';
  }

  toAsymmetricMatcher() {
    return 'Anything';
  }
}

class ArrayContaining extends AsymmetricMatcher {
  asymmetricMatch(other) {
    if (!Array.isArray(this.sample)) {
      throw new Error(`You must provide an array to ${this.toString()}, not '${typeof this.sample}'.`);
    }
    const found = this.sample.length === 0 || (Array.isArray(other) &&
      this.sample.every((item) => other.some((another) => equals(item, another, [...custom, iterableEquality]))));
    return this.inverse ? !found : found;
  }

  toString() {
    return `Array${negated(this)}Containing`;
  }

  getExpectedType() {
    return 'array';
  }
}

class ObjectContaining extends AsymmetricMatcher {
  asymmetricMatch(other) {
    if (typeof this.sample !== 'object') {
      throw new Error(`You must provide an object to ${this.toString()}, not '${typeof this.sample}'.`);
    }
    const keys = [...Object.keys(this.sample), ...Object.getOwnPropertySymbols(this.sample)];
    const found = other !== null && other !== undefined && keys.every((key) =>
      hasKey(other, key) && equals(this.sample[key], other[key], [...custom, iterableEquality]));
    return this.inverse ? !found : found;
  }

  toString() {
    return `Object${negated(this)}Containing`;
  }

  getExpectedType() {
    return 'object';
  }
}

class ArrayOf extends AsymmetricMatcher {
  asymmetricMatch(other) {
    const found = Array.isArray(other) && other.every((item) => equals(this.sample, item, [...custom, iterableEquality]));
    return this.inverse ? !found : found;
  }

  toString() {
    return `${negated(this)}ArrayOf`;
  }

  getExpectedType() {
    return 'array';
  }

  toAsymmetricMatcher() {
    return `${this.toString()} ${require('internal/expect/print').stringify(this.sample)}`;
  }
}

class StringContaining extends AsymmetricMatcher {
  constructor(sample, isInverse) {
    if (typeof sample !== 'string') throw new Error('Expected is not a string');
    super(sample, isInverse);
  }

  asymmetricMatch(other) {
    const found = typeof other === 'string' && other.includes(this.sample);
    return this.inverse ? !found : found;
  }

  toString() {
    return `String${negated(this)}Containing`;
  }

  getExpectedType() {
    return 'string';
  }
}

class StringMatching extends AsymmetricMatcher {
  constructor(sample, isInverse) {
    if (typeof sample !== 'string' && !(sample instanceof RegExp)) throw new Error('Expected is not a String or a RegExp');
    super(new RegExp(sample), isInverse);
  }

  asymmetricMatch(other) {
    const found = typeof other === 'string' && this.sample.test(other);
    return this.inverse ? !found : found;
  }

  toString() {
    return `String${negated(this)}Matching`;
  }

  getExpectedType() {
    return 'string';
  }
}

class CloseTo extends AsymmetricMatcher {
  constructor(sample, precision = 2, isInverse = false) {
    if (typeof sample !== 'number') throw new Error('Expected is not a Number');
    if (typeof precision !== 'number') throw new Error('Precision is not a Number');
    super(sample, isInverse);
    this.precision = precision;
  }

  asymmetricMatch(other) {
    if (typeof other !== 'number') return false;
    const found = other === this.sample || Math.abs(this.sample - other) < 10 ** -this.precision / 2;
    return this.inverse ? !found : found;
  }

  toString() {
    return `Number${negated(this)}CloseTo`;
  }

  getExpectedType() {
    return 'number';
  }

  toAsymmetricMatcher() {
    return `${this.toString()} ${this.sample} (${this.precision} ${this.precision === 1 ? 'digit' : 'digits'})`;
  }
}

// What conforms to a schema in the common form of schema libraries.
class SchemaMatching extends AsymmetricMatcher {
  asymmetricMatch(other) {
    const result = this.sample['~standard'].validate(other);
    const fits = result.issues === undefined;
    return this.inverse ? !fits : fits;
  }

  toString() {
    return `Schema${negated(this)}Matching`;
  }
}

/// `expect.…` and `expect.not.…`.
const plain = {
  any: (sample) => new Any(sample),
  anything: () => new Anything(),
};
const invertible = (isInverse) => ({
  arrayContaining: (sample) => new ArrayContaining(sample, isInverse),
  arrayOf: (sample) => new ArrayOf(sample, isInverse),
  closeTo: (sample, precision) => new CloseTo(sample, precision, isInverse),
  objectContaining: (sample) => new ObjectContaining(sample, isInverse),
  schemaMatching: (sample) => new SchemaMatching(sample, isInverse),
  stringContaining: (sample) => new StringContaining(sample, isInverse),
  stringMatching: (sample) => new StringMatching(sample, isInverse),
});

/// A matcher of `expect.extend` as a part of expected values.
function extended(name, matcher, isInverse) {
  class Custom extends AsymmetricMatcher {
    asymmetricMatch(other) {
      const { pass } = Reflect.apply(matcher, this.getMatcherContext(), [other, ...this.sample]);
      return this.inverse ? !pass : pass;
    }

    toString() {
      return `${this.inverse ? 'not.' : ''}${name}`;
    }

    toAsymmetricMatcher() {
      const { stringify } = require('internal/expect/print');
      return `${this.toString()}<${this.sample.map((value) => stringify(value)).join(', ')}>`;
    }
  }
  return (...sample) => new Custom(sample, isInverse);
}

module.exports = { custom, extended, invertible, plain };
