// Listening for the abort of a signal, and how to stop listening (EVENT-17). Uses binding.queueMicrotask.
'use strict';

const { requireAbortSignal, validateFunction } = require('internal/validators');

function addAbortListener(signal, listener) {
  requireAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  // A signal that was aborted tells nothing any more, and there is nothing to take off.
  if (signal.aborted) binding.queueMicrotask(() => listener());
  else signal.addEventListener('abort', listener, loudAndOnce());
  return {
    __proto__: null,
    [Symbol.dispose]() { signal.removeEventListener('abort', listener); },
  };
}

/// The options of a listener that is called once, whatever other listeners do with the event.
function loudAndOnce() {
  const { kResistStopPropagation } = require('internal/event_target');
  return { __proto__: null, once: true, [kResistStopPropagation]: true };
}

module.exports = { addAbortListener, loudAndOnce };
