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
  let normalized;
  if (args.length === 0) {
    normalized = [{}, null];
  } else {
    const [first] = args;
    let options = {};
    if (typeof first === 'object' && first !== null) {
      options = first;
    } else if (isPipeName(first)) {
      options.path = first;
    } else {
      options.port = first;
      if (args.length > 1 && typeof args[1] === 'string') options.host = args[1];
    }
    const callback = args.at(-1);
    normalized = [options, typeof callback === 'function' ? callback : null];
  }
  normalized[kNormalized] = true;
  return normalized;
}

module.exports = { normalizeArgs, isPipeName, toNumber, kNormalized };
