// CloseEvent and ErrorEvent: why a connection ended, and what went wrong.
'use strict';

const { Event } = require('internal/event');
const { dictionary, domString, finishClass, illegalInvocation, requireArguments, unsignedShort, usvString } =
  require('internal/fetch/webidl');

const eventInit = ['bubbles', 'cancelable', 'composed'].map((key) => ({ key, convert: Boolean, initial: () => false }));

class CloseEvent extends Event {
  #init;

  constructor(type, init = {}) {
    requireArguments(arguments.length, 1, 'CloseEvent constructor');
    const name = domString(type, 'CloseEvent constructor', 'type');
    const settings = dictionary(init, undefined, undefined, [
      ...eventInit,
      { key: 'wasClean', convert: Boolean, initial: () => false },
      { key: 'code', convert: unsignedShort, initial: () => 0 },
      { key: 'reason', convert: usvString, initial: () => '' },
    ]);
    super(name, settings);
    this.#init = settings;
  }

  static #of(self) {
    if (self === null || typeof self !== 'object' || !(#init in self)) throw illegalInvocation();
    return self.#init;
  }

  get wasClean() { return CloseEvent.#of(this).wasClean; }

  get code() { return CloseEvent.#of(this).code; }

  get reason() { return CloseEvent.#of(this).reason; }
}

class ErrorEvent extends Event {
  #init;

  constructor(type, init) {
    requireArguments(arguments.length, 1, 'ErrorEvent constructor');
    const name = domString(type, 'ErrorEvent constructor', 'type');
    const settings = dictionary(init, 'ErrorEvent constructor', 'eventInitDict', [
      ...eventInit,
      { key: 'message', convert: domString, initial: () => '' },
      { key: 'filename', convert: usvString, initial: () => '' },
      { key: 'lineno', convert: (value) => value >>> 0, initial: () => 0 },
      { key: 'colno', convert: (value) => value >>> 0, initial: () => 0 },
      { key: 'error', convert: (value) => value },
    ]);
    super(name, settings);
    this.#init = settings;
  }

  static #of(self) {
    if (self === null || typeof self !== 'object' || !(#init in self)) throw illegalInvocation();
    return self.#init;
  }

  get message() { return ErrorEvent.#of(this).message; }

  get filename() { return ErrorEvent.#of(this).filename; }

  get lineno() { return ErrorEvent.#of(this).lineno; }

  get colno() { return ErrorEvent.#of(this).colno; }

  get error() { return ErrorEvent.#of(this).error; }
}

finishClass(CloseEvent, ['wasClean', 'code', 'reason']);
finishClass(ErrorEvent, ['message', 'filename', 'lineno', 'colno', 'error']);

module.exports = { CloseEvent, ErrorEvent };
