// Callbacks that run for longer than they may: their error, and who is told of it.
'use strict';

// What is called when an action of a label was interrupted, by the label as the machine knows it.
const handlers = new Map();
exports.handlers = handlers;

/// The error of a callback that the engine gave up at `place`, and what is to run next, if anything is.
exports.overran = function overran(place, label, limit) {
  const error = new Error(`The action ran for longer than ${limit} ms`);
  error.code = 'ERR_ACTION_TIMEOUT';
  const frames = place instanceof Error ? String(place.stack).split('\n').slice(1) : [];
  error.stack = [`Error [${error.code}]: ${error.message}`, ...frames].join('\n');
  const handler = handlers.get(label)?.handler;
  return [error, handler === undefined ? undefined : () => handler(error)];
};
