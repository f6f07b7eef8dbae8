// node:inspector, as far as programs ask whether there is one. There is none: `hemiola debug` is the debugger.
'use strict';

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');

// What the protocol says about a method that it does not know.
const UNKNOWN = -32601;

class Session extends EventEmitter {
  #isConnected = false;

  connect() {
    if (this.#isConnected) throw new codes.ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    this.#isConnected = true;
  }

  connectToMainThread() {
    if (require('worker_threads').isMainThread) throw new codes.ERR_INSPECTOR_NOT_WORKER();
    this.connect();
  }

  post(method, params, callback) {
    validateString(method, 'method');
    if (!callback && typeof params === 'function') [params, callback] = [null, params];
    if (params) validateObject(params, 'params');
    if (callback) validateFunction(callback, 'callback');
    if (!this.#isConnected) throw new codes.ERR_INSPECTOR_NOT_CONNECTED();
    callback?.(new codes.ERR_INSPECTOR_COMMAND(UNKNOWN, `'${method}' wasn't found`));
  }

  disconnect() {
    this.#isConnected = false;
  }
}

module.exports = {
  open: function open(port, host, wait) {
    throw new codes.ERR_INSPECTOR_NOT_AVAILABLE();
  },
  close: () => {},
  url: () => undefined,
  waitForDebugger: function waitForDebugger() {
    throw new codes.ERR_INSPECTOR_NOT_ACTIVE();
  },
  // What is written here goes to the inspector only.
  console: Object.fromEntries(Object.keys(globalThis.console).map((name) => [name, () => {}])),
  Session,
  Network: Object.fromEntries(['requestWillBeSent', 'responseReceived', 'loadingFinished', 'loadingFailed']
    .map((name) => [name, { [name](params) {} }[name]])),
};
