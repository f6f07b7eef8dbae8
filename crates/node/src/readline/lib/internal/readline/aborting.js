// What a signal does to interfaces and their questions (rules READLINE-6 and READLINE-9).
'use strict';

const { AbortError } = require('internal/errors');

/// Calls `act` when the signal is aborted; gives what stops that.
function whenAborted(signal, act) {
  const listener = require('internal/events/abort_listener').addAbortListener(signal, act);
  return () => listener[Symbol.dispose]();
}

const abortError = (signal) => new AbortError(undefined, { cause: signal.reason });

/// A promise of the answer to a question; `ask` calls back with it, and `cancel` takes the question back.
function answerTo(ask, cancel, signal, check) {
  return new Promise((resolve, reject) => {
    if (!signal) return ask(resolve);
    check?.(signal);
    if (signal.aborted) return reject(abortError(signal));
    const stop = whenAborted(signal, () => {
      cancel();
      reject(abortError(signal));
    });
    ask((line) => {
      stop();
      resolve(line);
    });
  });
}

module.exports = { answerTo, whenAborted };
