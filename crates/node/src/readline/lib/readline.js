// `readline`.
'use strict';

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { promisify } = require('internal/util/promisify');
const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/cursor');
const { InterfaceBase } = require('internal/readline/interface');

// Older programs call it without `new`, and inherit from it with `util.inherits`.
function Interface(input, output, completer, terminal) {
  return Reflect.construct(InterfaceBase, [input, output, completer, terminal], new.target ?? Interface);
}
Object.setPrototypeOf(Interface.prototype, InterfaceBase.prototype);
Object.setPrototypeOf(Interface, InterfaceBase);

/// Calls `abort` when the signal does; gives what stops that.
function onAbort(signal, abort) {
  const { addAbortListener } = require('internal/events/abort_listener');
  const listener = addAbortListener(signal, abort);
  return () => listener[Symbol.dispose]();
}

Interface.prototype.question = function question(query, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  if (options?.signal) {
    validateAbortSignal(options.signal, 'options.signal');
    if (options.signal.aborted) return;
    const stop = onAbort(options.signal, () => this._cancelQuestion());
    const answered = callback;
    callback = typeof answered === 'function'
      ? (answer) => {
        stop();
        return answered(answer);
      }
      : stop;
  }
  if (typeof callback === 'function') this._ask(query, callback);
};

Interface.prototype.question[promisify.custom] = function question(query, options) {
  if (options === null || typeof options !== 'object') options = {};
  if (options.signal?.aborted) return Promise.reject(new AbortError(undefined, { cause: options.signal.reason }));
  return new Promise((resolve, reject) => {
    let answered = resolve;
    if (options.signal) {
      const stop = onAbort(options.signal, () => reject(new AbortError(undefined, { cause: options.signal.reason })));
      answered = (answer) => {
        stop();
        resolve(answer);
      };
    }
    this.question(query, options, answered);
  });
};

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = {
  Interface, clearLine, clearScreenDown, createInterface, cursorTo,
  emitKeypressEvents(stream, iface) {
    require('internal/readline/keypress').emitKeypressEvents(stream, iface);
  },
  moveCursor,
};
Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('readline/promises'); },
});
