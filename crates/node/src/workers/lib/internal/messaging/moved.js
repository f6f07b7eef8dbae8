// Ports of contexts of vm: what `moveMessagePortToContext` makes. Such a port is no EventTarget; it calls its
// `onmessage` and `onmessageerror`, with events that are plain objects. What it receives has no classes but the
// language's.
'use strict';

const { theEnd, kReceive } = require('internal/messaging/inbox');
const { cloneForContext, dataCloneError, nativeError, readTransferArgument } = require('internal/structured_clone');
const { kTransfer } = require('internal/transfer');
const contexts = require('internal/vm/contexts');

const { apply } = Reflect;

// What other files need of a port's inside: `portOf`.
const inside = {};

class Moved {
  // The port that was moved, of which the program sees nothing any more.
  #port;

  constructor(port) {
    this.#port = port;
    const receive = port[kReceive];
    port[kReceive] = (message) => {
      if (message === theEnd) apply(receive, port, [message]);
      else this.#receive(message);
    };
    // It keeps the program alive until it is told not to.
    port.ref();
  }

  static {
    inside.portOf = (value) => (#port in Object(value) ? value.#port : undefined);
  }

  static #own(value) {
    const port = inside.portOf(value);
    if (port === undefined) throw new TypeError('Illegal invocation');
    return port;
  }

  #receive(message) {
    let type = 'message';
    let data;
    let ports = [];
    try {
      if (message.failure !== undefined) throw message.failure;
      const moved = new Map(message.ports.map((port) => [port, move(port)]));
      data = cloneForContext(message.value, moved);
      ports = [...moved.values()];
    } catch {
      type = 'messageerror';
      data = nativeError(Error, 'ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE',
                         'A message object could not be deserialized successfully in the target vm.Context');
    }
    const handler = this[`on${type}`];
    if (typeof handler === 'function') apply(handler, this, [new MessageEvent(data, this, type, ports)]);
  }

  postMessage(...args) {
    const port = Moved.#own(this);
    // The global object of a context is nothing to copy, as everywhere.
    if (contexts.has(args[0])) throw dataCloneError('[object global] could not be cloned.');
    if (args.length < 2) return apply(port.postMessage, port, args);
    const list = readTransferArgument(args[1]);
    if (list.includes(this)) throw dataCloneError('Transfer list contains source port');
    return port.postMessage(args[0], list);
  }

  start() { Moved.#own(this).start(); }
  close(callback) { Moved.#own(this).close(callback); }
  ref() { Moved.#own(this).ref(); }
  unref() { Moved.#own(this).unref(); }
  hasRef() { return Moved.#own(this).hasRef(); }
  [kTransfer]() { return Moved.#own(this)[kTransfer](); }
}

class MessageEvent {
  constructor(data, target, type, ports) {
    this.data = data;
    this.target = target;
    this.type = type;
    this.ports = ports;
  }
}

// What programs see of the class.
function MessagePort() {
  throw nativeError(TypeError, 'ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
}
MessagePort.prototype = Moved.prototype;
Object.defineProperty(Moved.prototype, 'constructor', { __proto__: null, value: MessagePort });

/// The port for a context in place of one, which is then closed to whoever had it.
function move(port) {
  const { value, commit } = port[kTransfer]();
  commit();
  return new Moved(value);
}

module.exports = { move, portOf: inside.portOf };
