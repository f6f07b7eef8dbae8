// `readline` (docs/library/readline.md).
'use strict';

const { validateAbortSignal } = require('internal/validators');
const { promisify } = require('internal/util/promisify');
const { answerTo, whenAborted } = require('internal/readline/aborting');
const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/cursor');
const { InterfaceBase } = require('internal/readline/interface');

// Older programs call it without `new`, and inherit from it with `util.inherits`.
function Interface(input, output, completer, terminal) {
  return Reflect.construct(InterfaceBase, [input, output, completer, terminal], new.target ?? Interface);
}
Object.setPrototypeOf(Interface.prototype, InterfaceBase.prototype);
Object.setPrototypeOf(Interface, InterfaceBase);

function questionWithSignal(one, query, signal, answered) {
  validateAbortSignal(signal, 'options.signal');
  if (signal.aborted) return;
  const stop = whenAborted(signal, () => one._cancelQuestion());
  one._ask(query, (line) => {
    stop();
    if (typeof answered === 'function') return answered(line);
  });
}

Interface.prototype.question = function question(query, options, callback) {
  const answered = typeof options === 'function' ? options : callback;
  if (options?.signal) questionWithSignal(this, query, options.signal, answered);
  else if (typeof answered === 'function') this._ask(query, answered);
};

Interface.prototype.question[promisify.custom] = function question(query, options) {
  const ask = (answered) => this.question(query, answered);
  return answerTo(ask, () => this._cancelQuestion(), options?.signal);
};

module.exports = {
  Interface, clearLine, clearScreenDown,
  createInterface: function createInterface(input, output, completer, terminal) {
    return new Interface(input, output, completer, terminal);
  },
  cursorTo,
  emitKeypressEvents(stream, iface) {
    require('internal/readline/keypress').emitKeypressEvents(stream, iface);
  },
  moveCursor,
  get promises() {
    return require('readline/promises');
  },
};
