// spawn: a child with its streams.
// Uses binding.nextTick.
'use strict';

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { normalize, checkTimeout, killSignal } = require('internal/child_process/arguments');

function abort(child, signal, reason) {
  try {
    if (child.kill(signal)) child.emit('error', new AbortError(undefined, { cause: reason }));
  } catch (error) {
    child.emit('error', error);
  }
}

function spawn(file, args, options) {
  options = normalize(file, args, options);
  checkTimeout(options.timeout);
  validateAbortSignal(options.signal, 'options.signal');
  const ending = killSignal(options.killSignal);
  const { ChildProcess } = require('internal/child_process/child');
  const child = new ChildProcess();
  child.spawn(options);

  if (options.timeout > 0) {
    const { clearTimeout, guards: { setTimeout } } = require('internal/timers');
    let timer = setTimeout(() => {
      timer = undefined;
      try {
        child.kill(ending);
      } catch (error) {
        child.emit('error', error);
      }
    }, options.timeout);
    child.once('exit', () => clearTimeout(timer));
  }
  if (options.signal) {
    const { signal } = options;
    const onAbort = () => abort(child, ending, signal.reason);
    if (signal.aborted) {
      binding.nextTick(onAbort);
    } else {
      const disposable = require('internal/events/abort_listener').addAbortListener(signal, onAbort);
      child.once('exit', () => disposable[Symbol.dispose]());
    }
  }
  return child;
}

module.exports = { spawn };
