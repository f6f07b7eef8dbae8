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

// The system takes no longer ones.
const LONGEST_PATH = 107;

/// The path of a local socket from the root, if that is not too long: the program may be in another
/// directory than the process.
function absolute(path) {
  if (path[0] === '/' || path[0] === '\0') return path;
  const whole = require('internal/fs/gate').absolute(path);
  return require('buffer').Buffer.byteLength(whole) > LONGEST_PATH ? path : whole;
}

const channels = new Map();

/// Tells those who subscribed to a channel of `diagnostics_channel` of a socket.
function tellChannel(name, socket) {
  let channel = channels.get(name);
  if (channel === undefined) {
    channel = require('diagnostics_channel').channel(name);
    channels.set(name, channel);
  }
  if (channel.hasSubscribers) channel.publish({ socket });
}

module.exports = { absolute, tellChannel, normalizeArgs, isPipeName, toNumber, kNormalized };
