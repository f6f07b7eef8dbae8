// `readline/promises`.
//
// Uses binding.nextTick.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateInteger } = require('internal/validators');
const { isWritable } = require('internal/streams/is');
const { sequences } = require('internal/readline/cursor');
const { InterfaceBase } = require('internal/readline/interface');

class Interface extends InterfaceBase {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      let answered = resolve;
      const { signal } = options ?? {};
      if (signal) {
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const { addAbortListener } = require('internal/events/abort_listener');
        const listener = addAbortListener(signal, () => {
          this._cancelQuestion();
          reject(new AbortError(undefined, { cause: signal.reason }));
        });
        answered = (answer) => {
          listener[Symbol.dispose]();
          resolve(answer);
        };
      }
      this._ask(query, answered);
    });
  }
}

/// Movements of the cursor that are collected, and sent together by `commit`.
class Readline {
  #autoCommit = false;
  #stream;
  #todo = [];

  constructor(stream, options = undefined) {
    if (!isWritable(stream)) throw new ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    this.#stream = stream;
    if (options?.autoCommit != null) {
      validateBoolean(options.autoCommit, 'options.autoCommit');
      this.#autoCommit = options.autoCommit;
    }
  }

  #add(text) {
    if (this.#autoCommit) binding.nextTick(() => this.#stream.write(text));
    else this.#todo.push(text);
    return this;
  }

  cursorTo(x, y = undefined) {
    validateInteger(x, 'x');
    if (y != null) validateInteger(y, 'y');
    return this.#add(sequences.cursorTo(x, y ?? undefined));
  }

  moveCursor(dx, dy) {
    if (!dx && !dy) return this;
    validateInteger(dx, 'dx');
    validateInteger(dy, 'dy');
    return this.#add(sequences.moveCursor(dx, dy));
  }

  clearLine(direction) {
    validateInteger(direction, 'dir', -1, 1);
    return this.#add(sequences.clearLine(direction));
  }

  clearScreenDown() {
    return this.#add(sequences.clearScreenDown());
  }

  commit() {
    return new Promise((resolve) => {
      this.#stream.write(this.#todo.join(''), resolve);
      this.#todo = [];
    });
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, Readline, createInterface };
