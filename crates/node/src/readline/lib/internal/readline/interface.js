// Lines of a stream, one event for each, and questions with a line for an answer.
//
// In a terminal keys come one by one, and `internal/readline/editor` makes lines of them.
// Uses binding.nextTick, binding.now.
'use strict';

const EventEmitter = require('events');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_USE_AFTER_CLOSE } } = require('internal/errors');
const {
  validateAbortSignal, validateArray, validateNumber, validateString, validateUint32,
} = require('internal/validators');

const HISTORY_SIZE = 30;
const SHORTEST_CRLF_DELAY = 100;
const ESCAPE_CODE_TIMEOUT = 500;

const lineEnding = /\r?\n|\r(?!\n)/g;

const refuse = (name, value, isRight) => {
  if (value !== undefined && !isRight(value)) throw new ERR_INVALID_ARG_VALUE(name, value);
};

class InterfaceBase extends EventEmitter {
  #prompt;
  #decoder;
  // What has come of a line that is not complete.
  #rest = '';
  // When the last chunk ended in `\r`, which a `\n` at the start of the next belongs to.
  #returnAt = 0;
  // Who edits the line, in a terminal.
  #editor;
  // { callback, prompt }: who waits for the next line, and the prompt to go back to.
  #lines = undefined;
  #question = null;

  constructor(input, output, completer, terminal) {
    super();
    const options = input?.input ? input : { input, output, completer, terminal };
    const {
      historySize = HISTORY_SIZE, removeHistoryDuplicates = false, crlfDelay, prompt = '> ', signal, tabSize,
      escapeCodeTimeout, history = [],
    } = options;
    // Rule READLINE-4.
    refuse('completer', options.completer, (value) => typeof value === 'function');
    refuse('input.escapeCodeTimeout', escapeCodeTimeout, Number.isFinite);
    if (tabSize !== undefined) validateUint32(tabSize, 'tabSize', true);
    validateArray(history, 'history');
    validateNumber(historySize, 'historySize', 0);
    if (signal) validateAbortSignal(signal, 'options.signal');

    this.line = '';
    this.cursor = 0;
    this.input = options.input;
    this.output = options.output;
    this.history = history;
    this.historySize = historySize;
    this.removeHistoryDuplicates = Boolean(removeHistoryDuplicates);
    this.crlfDelay = Math.max(SHORTEST_CRLF_DELAY, crlfDelay || 0);
    this.completer = options.completer;
    this.terminal = Boolean(options.terminal ?? options.output?.isTTY);
    this.escapeCodeTimeout = escapeCodeTimeout ?? ESCAPE_CODE_TIMEOUT;
    this.tabSize = tabSize ?? 8;
    this.#prompt = prompt;
    if (this.terminal) this.#listenToKeys();
    else this.#listen();
    if (signal) this.#closeOnAbort(signal);
    this.input.resume();
  }

  #listen() {
    this.#decoder = new (require('string_decoder').StringDecoder)('utf8');
    const listeners = Object.entries({
      error: (error) => this.emit('error', error),
      data: (data) => this.#take(data),
      end: () => {
        if (this.#rest !== '') this.emit('line', this.#rest);
        this.close();
      },
    });
    for (const [event, listener] of listeners) this.input.on(event, listener);
    this.once('close', () => {
      for (const [event, listener] of listeners) this.input.removeListener(event, listener);
    });
  }

  #listenToKeys() {
    const { Editor } = require('internal/readline/editor');
    this.#editor = new Editor(this);
    require('internal/readline/keypress').emitKeypressEvents(this.input, this);
    const listeners = Object.entries({
      error: (error) => this.emit('error', error),
      keypress: (text, key) => {
        if (!this.closed && !this._press?.(text, key)) this.#editor.press(text, key);
      },
      end: () => {
        if (this.line !== '') this.emit('line', this.line);
        this.close();
      },
    });
    for (const [event, listener] of listeners) this.input.on(event, listener);
    const resized = () => this.#editor.refresh();
    this.output?.on?.('resize', resized);
    this.once('close', () => {
      for (const [event, listener] of listeners) this.input.removeListener(event, listener);
      this.output?.removeListener?.('resize', resized);
    });
    this._setRawMode(true);
  }

  /// Whether every key comes as it is pressed; gives how it was before.
  _setRawMode(raw) {
    const was = Boolean(this.input.isRaw);
    if (typeof this.input.setRawMode === 'function') this.input.setRawMode(raw);
    return was;
  }

  /// Asks what a text could become: a function with two parameters calls back, another one gives it or a promise.
  _complete(text, callback) {
    const { completer } = this;
    try {
      if (completer.length === 2) {
        completer.call(this, text, callback);
        return;
      }
      const found = completer.call(this, text);
      if (typeof found?.then === 'function') found.then((result) => callback(null, result), callback);
      else callback(null, found);
    } catch (error) {
      callback(error);
    }
  }

  _refreshLine() {
    this.#editor?.refresh();
  }

  #closeOnAbort(signal) {
    const close = () => this.close();
    if (signal.aborted) binding.nextTick(close);
    else this.once('close', require('internal/readline/aborting').whenAborted(signal, close));
  }

  #take(data) {
    if (data === undefined) return;
    let text = this.#decoder.write(data);
    if (this.#returnAt > 0) {
      const isOne = binding.now() + 1 - this.#returnAt <= this.crlfDelay;
      if (isOne && text.startsWith('\n')) text = text.slice(1);
      this.#returnAt = 0;
    }
    lineEnding.lastIndex = 0;
    if (!lineEnding.test(text)) {
      this.#rest += text;
      return;
    }
    // One is added so that the beginning of time is not taken for never.
    if (text.endsWith('\r')) this.#returnAt = binding.now() + 1;
    const lines = (this.#rest + text).split(lineEnding);
    this.#rest = lines.pop();
    for (const line of lines) this._give(line);
  }

  _give(line) {
    if (this.#question === null) {
      this.emit('line', line);
      return;
    }
    const { callback, prompt } = this.#question;
    this.#question = null;
    this.setPrompt(prompt);
    callback(line);
  }

  get columns() {
    return this.output?.columns || Infinity;
  }

  setPrompt(prompt) {
    this.#prompt = prompt;
  }

  getPrompt() {
    return this.#prompt;
  }

  prompt(preserveCursor) {
    this.resume();
    if (this.#editor === undefined) {
      this._writeToOutput(this.#prompt);
      return;
    }
    if (!preserveCursor) this.cursor = 0;
    this.#editor.leave();
    this.#editor.refresh();
  }

  /// Writes something above the line that is being edited.
  _writeAbove(text) {
    const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/cursor');
    const { rows } = this.getCursorPos();
    if (rows > 0) moveCursor(this.output, 0, -rows);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
    this._writeToOutput(text);
    this.#editor.leave();
  }

  _writeToOutput(stringToWrite) {
    validateString(stringToWrite, 'stringToWrite');
    this.output?.write(stringToWrite);
  }

  // A second question, while the first has no answer, only shows the prompt again.
  _ask(query, callback) {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this.#question === null) {
      this.#question = { callback, prompt: this.#prompt };
      this.setPrompt(query);
    }
    this.prompt();
  }

  _cancelQuestion() {
    if (this.#question === null) return;
    this.setPrompt(this.#question.prompt);
    this.#question = null;
  }

  close() {
    if (this.closed) return;
    this.pause();
    if (this.terminal) this._setRawMode(false);
    this.closed = true;
    this.emit('close');
  }

  /// `pause` and `resume`, which also are what the input is told (rule READLINE-5).
  #change(verb, paused) {
    // Before the first change there is no such property.
    if (Boolean(this.paused) === paused) return undefined;
    this.input[verb]();
    this.paused = paused;
    this.emit(verb);
    return this;
  }

  pause() {
    return this.#change('pause', true);
  }

  resume() {
    return this.#change('resume', false);
  }

  write(data, key) {
    if (this.closed && this.#editor !== undefined) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) this.resume();
    if (this.#editor === undefined) this.#take(data);
    else this.#editor.press(data instanceof Uint8Array ? `${require('buffer').Buffer.from(data)}` : data, key ?? {});
  }

  getCursorPos() {
    const text = this.#prompt + this.line.slice(0, this.cursor);
    return require('internal/readline/editor').placeOf(text, this.columns, this.tabSize);
  }

  [Symbol.asyncIterator]() {
    // A loop in a loop goes on with the same lines.
    const { kFirstEventParam, on } = require('internal/events/waiting');
    return this.#lines ??= on(this, 'line', { close: ['close'], highWaterMark: 1024, [kFirstEventParam]: true });
  }
}

module.exports = { InterfaceBase };
