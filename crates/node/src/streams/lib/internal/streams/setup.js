// What the classes of streams have in common.
//
// Uses binding.tellListeners.
'use strict';

const EventEmitter = require('events');
const { AbortError } = require('internal/errors');
const { Stream } = require('internal/streams/legacy');

/// Takes over the methods among the options, by a table of their names; then the stream is an emitter, which ends
/// with a signal if one is given (STREAM-1).
function begin(stream, options, table) {
  if (options) {
    takeMethods(stream, options, table);
    if (options.signal) require('internal/streams/add_abort_signal').addAbortSignal(options.signal, stream);
  }
  Stream.call(stream, options);
  // Nobody follows what its listeners give back, nor whom it tells.
  if (stream._readableState && binding.tellListeners === undefined) {
    stream._readableState.isPlainEmitter = !options?.captureRejections && !EventEmitter.captureRejections;
  }
}

/// Rows of an option and the method that it becomes.
function tableOf(...names) {
  return names.map((name) => [name, `_${name}`]);
}

function takeMethods(stream, options, table) {
  for (let i = 0; i < table.length; i++) {
    const row = table[i];
    const method = options[row[0]];
    if (typeof method === 'function') stream[row[1]] = method;
  }
}

/// What `await using` does: destroys a stream, and settles when that is done. An error is the program's if
/// `isForeign` says so; it gets the reason for which the stream was destroyed here, if it was.
function dispose(stream, isThrough, isForeign) {
  const isOpen = !stream.destroyed;
  const reason = isOpen && !isThrough ? new AbortError() : null;
  if (isOpen) stream.destroy(reason);
  return new Promise((resolve, reject) => {
    require('internal/streams/end_of_stream').eos(stream, (error) => {
      if (error && isForeign(error, reason)) reject(error);
      else resolve(null);
    });
  });
}

/// Defines accessors of a state: by name, how to look it up, what is said where there is no state (as on the
/// prototype), and how to set it.
function show(prototype, stateName, accessors) {
  for (const [name, [look, without, put]] of Object.entries(accessors)) {
    Object.defineProperty(prototype, name, {
      __proto__: null,
      get() {
        const state = this[stateName];
        return state ? look(state) : without;
      },
      set: put && function(value) {
        if (this[stateName]) put(this[stateName], value);
      },
    });
  }
}

module.exports = { begin, dispose, show, tableOf, takeMethods };
