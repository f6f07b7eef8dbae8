// The many forms in which `connect` and `listen` take their arguments.
'use strict';

/// What is no number is taken as false.
function toNumber(value) {
  const number = Number(value);
  return number >= 0 ? number : false;
}

const isPipeName = (value) => typeof value === 'string' && toNumber(value) === false;

// Marks what has been normalised.
const kNormalized = Symbol('normalizedArgs');

/// The options and the callback, or null, of ([options], [cb]), (port, [host], [cb]) and (path, [cb]).
function normalizeArgs(args) {
  const last = args.at(-1);
  const normalized = [args.length === 0 ? {} : optionsOf(...args), typeof last === 'function' ? last : null];
  normalized[kNormalized] = true;
  return normalized;
}

function optionsOf(first, second) {
  if (typeof first === 'object' && first !== null) return first;
  if (isPipeName(first)) return { path: first };
  return typeof second === 'string' ? { port: first, host: second } : { port: first };
}

/// The path of a local socket from the root: the program may be in another directory than the process.
const absolute = (path) => (path[0] === '\0' ? path : require('internal/fs/gate').absolute(path.replace(/^(?:\.\/+)+/, '')));

module.exports = { absolute, normalizeArgs, isPipeName, toNumber, kNormalized };
