// Prime numbers. Uses binding.primeGenerate, primeCheck.
'use strict';

const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');
const { validateBoolean, validateFunction, validateInt32, validateObject } = require('internal/validators');

binding.install?.('numbers', binding);

const kinds = ['bigint', 'ArrayBuffer', 'TypedArray', 'Buffer', 'DataView'];

/// The digits of a number that a program gives, with base 256.
function digits(value, name) {
  if (typeof value === 'bigint') {
    if (value < 0n) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
    const text = value.toString(16);
    return new Uint8Array(require('buffer').Buffer.from(text.length % 2 === 1 ? `0${text}` : text, 'hex'));
  }
  const bytes = asBytes(value);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, kinds, value);
  return new Uint8Array(bytes);
}

const toBigInt = (bytes) => BigInt(`0x${require('buffer').Buffer.from(bytes).toString('hex')}`);

function check(size, options) {
  validateInt32(size, 'size', 1);
  validateObject(options, 'options');
  const { safe = false, bigint = false, add, rem } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  const step = add === undefined ? undefined : digits(add, 'options.add');
  const rest = rem === undefined ? undefined : digits(rem, 'options.rem');
  if (step !== undefined) {
    const number = toBigInt(step);
    if (number >= 2n ** BigInt(size)) throw outOfRange('invalid options.add');
    if (rest !== undefined && number <= toBigInt(rest)) throw outOfRange('invalid options.rem');
  }
  return () => {
    // Without a step there is nothing to divide by.
    const prime = binding.primeGenerate(size, safe, step, step === undefined ? undefined : rest);
    if (typeof prime === 'string') throw new Error(prime);
    return bigint ? toBigInt(prime) : prime.buffer;
  };
}

function outOfRange(message) {
  const error = new RangeError(message);
  error.code = 'ERR_OUT_OF_RANGE';
  return error;
}

/// Here what went well has undefined for an error.
const later = (compute, callback) =>
  require('internal/crypto/later').later(compute, (error, result) => callback(error ?? undefined, result));

function generatePrime(size, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  later(check(size, options), callback);
}

function generatePrimeSync(size, options = {}) {
  return check(size, options)();
}

function checkCandidate(candidate, options) {
  const bytes = digits(candidate, 'candidate');
  validateObject(options, 'options');
  const { checks = 0 } = options;
  validateInt32(checks, 'options.checks', 0);
  return () => binding.primeCheck(bytes);
}

function checkPrime(candidate, options = {}, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  later(checkCandidate(candidate, options), callback);
}

function checkPrimeSync(candidate, options = {}) {
  return checkCandidate(candidate, options)();
}

module.exports = { checkPrime, checkPrimeSync, generatePrime, generatePrimeSync };
