// `readline/promises` (docs/library/readline.md).
//
// Uses binding.nextTick.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateInteger } = require('internal/validators');
const { isWritable } = require('internal/streams/is');
const { answerTo } = require('internal/readline/aborting');
const { sequences } = require('internal/readline/cursor');
const { InterfaceBase } = require('internal/readline/interface');

class Interface extends InterfaceBase {
  question(query, options = {}) {
    const ask = (answered) => this._ask(query, answered);
    return answerTo(ask, () => this._cancelQuestion(), options?.signal, (signal) => validateAbortSignal(signal, 'options.signal'));
  }
}

/// Movements of the cursor that are collected, and sent together by `commit` (rule READLINE-13).
class Readline {
  #stream;
  #isEager;
  #collected = '';

  constructor(stream, options = undefined) {
    if (!isWritable(stream)) throw new ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    const isEager = options?.autoCommit ?? false;
    validateBoolean(isEager, 'options.autoCommit');
    this.#stream = stream;
    this.#isEager = isEager;
  }

  #add(sequence) {
    if (this.#isEager) binding.nextTick(() => this.#stream.write(sequence));
    else this.#collected += sequence;
    return this;
  }

  #takeAll() {
    const all = this.#collected;
    this.#collected = '';
    return all;
  }

  cursorTo(x, y = undefined) {
    const hasRow = y !== undefined && y !== null;
    validateInteger(x, 'x');
    if (hasRow) validateInteger(y, 'y');
    return this.#add(sequences.cursorTo(x, hasRow ? y : undefined));
  }

  moveCursor(dx, dy) {
    if (!dx && !dy) return this;
    for (const [name, distance] of [['dx', dx], ['dy', dy]]) validateInteger(distance, name);
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
    return new Promise((resolve) => this.#stream.write(this.#takeAll(), resolve));
  }

  rollback() {
    this.#takeAll();
    return this;
  }
}

const createInterface = (...args) => new Interface(...args);
Object.defineProperty(createInterface, 'length', { value: 4 });

module.exports = { Interface, Readline, createInterface };
