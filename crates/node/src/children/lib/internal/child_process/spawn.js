// spawn: a child with its streams.
// Uses binding.nextTick.
'use strict';

const { AbortError } = require('internal/errors');
const { atLevel, levelIn } = require('internal/levels');
const { validateAbortSignal } = require('internal/validators');
const { normalize, checkTimeout, killSignal } = require('internal/child_process/arguments');

/// Sends a signal to a child. A failure is the child's error, too; false if it was not sent.
function end(child, signal) {
  try {
    return child.kill(signal);
  } catch (error) {
    child.emit('error', error);
    return false;
  }
}

// The two ways in which a child is ended without having been asked to, as rule CHILD-10 has it.

function endAfter(child, delay, signal) {
  const timers = require('internal/timers');
  const timer = timers.setTimeout(end, delay, child, signal);
  child.once('exit', () => timers.clearTimeout(timer));
}

function endOnAbort(child, abortSignal, signal) {
  const aborted = () => {
    if (end(child, signal)) child.emit('error', new AbortError(undefined, { cause: abortSignal.reason }));
  };
  if (abortSignal.aborted) return void binding.nextTick(aborted);
  const listener = require('internal/events/abort_listener').addAbortListener(abortSignal, aborted);
  child.once('exit', () => listener[Symbol.dispose]());
}

function spawn(file, args, options) {
  const settings = normalize(file, args, options);
  const { timeout, signal } = settings;
  checkTimeout(timeout);
  validateAbortSignal(signal, 'options.signal');
  const ending = killSignal(settings.killSignal);
  const child = new (require('internal/child_process/child').ChildProcess)();
  atLevel(levelIn(settings), () => {
    child.spawn(settings);
    if (timeout > 0) endAfter(child, timeout, ending);
    if (signal) endOnAbort(child, signal, ending);
  });
  return child;
}

module.exports = { spawn };
