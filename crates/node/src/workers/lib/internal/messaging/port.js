// MessagePort and MessageChannel: two ports, each of which receives what is posted at the other.
//
// Takes from `binding`:
//   emitWarning(error)  says a warning as `process.emitWarning` does
'use strict';

const {
  Event, NodeEventTarget, defineEventHandler, finishClass, kCreateEvent, kHybridDispatch, kNewListener,
  kRemoveListener,
} = require('internal/event_target');
const { Inbox, theEnd, kReceive } = require('internal/messaging/inbox');
const { MessageEvent } = require('internal/messaging/message_event');
const { cloneAndTransfer, readTransferArgument, dataCloneError, nativeError } = require('internal/structured_clone');
const { kTransfer } = require('internal/transfer');
const hooked = require('internal/hooked');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

class MessagePortCloseEvent extends Event {
  constructor() {
    super('close');
  }
}

// What this file needs of a port's inside: `is`, `isClosed`, `entangle`, `inboxOf`, `adopt`.
const inside = {};

class Port extends NodeEventTarget {
  // Undefined once the port is closed or has been given away.
  #inbox = undefined;
  #closing = false;
  // The ports that came with the message being received.
  #ports = [];

  static {
    inside.is = (value) => #inbox in Object(value);
    inside.inboxOf = (port) => port.#inbox;
    inside.isClosed = (port) => port.#closing || port.#inbox === undefined;
    inside.adopt = (link) => {
      const port = new Port();
      port.#inbox = new Inbox(port);
      port.#inbox.peer = link(port.#inbox);
      return hooked.made('MESSAGEPORT', port);
    };
    inside.entangle = (one, other) => {
      one.#inbox = new Inbox(one);
      other.#inbox = new Inbox(other);
      one.#inbox.peer = other.#inbox;
      other.#inbox.peer = one.#inbox;
      hooked.made('MESSAGEPORT', one);
      hooked.made('MESSAGEPORT', other);
    };
  }

  static #check(value) {
    if (!inside.is(value)) throw new TypeError('Illegal invocation');
  }

  postMessage(...args) {
    Port.#check(this);
    if (args.length === 0) {
      throw nativeError(TypeError, 'ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage');
    }
    if (args.length === 1 && !this.#closing && this.#inbox?.peer?.putPlain?.(args[0])) return true;
    const list = readTransferArgument(args[1]);
    const peer = this.#inbox?.peer;
    if (list.length === 0 && !this.#closing && peer?.putPlain?.(args[0])) return true;
    const lost = peer !== undefined && list.some((object) => inside.is(object) && object.#inbox === peer);
    const message = cloneAndTransfer(args[0], list, this);
    if (this.#inbox === undefined || this.#closing) return undefined;
    if (peer === undefined) return false;
    if (lost) {
      // The other end travels to itself; nobody will ever have it.
      this.#inbox.peer = undefined;
      peer.owner = undefined;
      const warning = new Error('The target port was posted to itself, and the communication channel was lost');
      warning.name = 'Warning';
      binding.emitWarning(warning);
      this.#inbox.put(theEnd);
    } else {
      peer.put(message);
    }
    return true;
  }

  start() {
    Port.#check(this);
    if (!this.#closing) this.#inbox?.start();
  }

  close(callback) {
    Port.#check(this);
    if (typeof callback === 'function') this.once('close', callback);
    if (this.#inbox === undefined || this.#closing) return;
    this.#closing = true;
    this.#inbox.stopUnlessTaking();
    this.#inbox.later(() => this.#end());
  }

  ref() {
    Port.#check(this);
    if (!this.#closing) this.#inbox?.hold(true);
  }

  unref() {
    Port.#check(this);
    this.#inbox?.hold(false);
  }

  hasRef() {
    Port.#check(this);
    return this.#inbox?.refed ?? false;
  }

  /// Tells that the port is closed, and lets the other end hear of it after what is on its way.
  #end() {
    const inbox = this.#inbox;
    if (inbox === undefined) return;
    this.#inbox = undefined;
    this.#closing = true;
    inbox.owner = undefined;
    inbox.hold(false);
    this.dispatchEvent(new MessagePortCloseEvent());
    hooked.ended(this);
    if (inbox.peer !== undefined) {
      inbox.peer.peer = undefined;
      inbox.peer.put(theEnd);
    }
  }

  [kReceive](message) {
    if (message === theEnd) {
      this.#end();
      return;
    }
    if (message.failure !== undefined) {
      this[kHybridDispatch](message.failure, 'messageerror', undefined);
      return;
    }
    this.#ports = message.ports;
    this[kHybridDispatch](message.value, 'message', undefined);
    this.#ports = [];
  }

  [kTransfer]() {
    if (this.#inbox === undefined || this.#closing) {
      throw dataCloneError('MessagePort in transfer list is already detached');
    }
    const value = new Port();
    const commit = () => {
      const inbox = this.#inbox;
      value.#inbox = inbox;
      inbox.giveTo(value);
      inbox.stop();
      inbox.hold(false);
      this.#inbox = undefined;
      hooked.made('MESSAGEPORT', value);
      inbox.later(() => {
        this.dispatchEvent(new MessagePortCloseEvent());
        hooked.ended(this);
      });
    };
    return { value, commit, isPort: true };
  }

  // Whoever listens for messages wants them, and waits for them.
  [kNewListener](size, type, ...rest) {
    super[kNewListener](size, type, ...rest);
    if (type === 'message' && size === 1) {
      this.ref();
      this.start();
    }
  }

  [kRemoveListener](size, type, ...rest) {
    super[kRemoveListener](size, type, ...rest);
    if (type === 'message' && size === 0) {
      this.unref();
      this.#inbox?.stop();
    }
  }

  [kCreateEvent](data, type) {
    if (type !== 'message' && type !== 'messageerror') return super[kCreateEvent](data, type);
    return new MessageEvent(type, { data, ports: this.#ports });
  }

  [kInspect](depth, options) {
    const name = 'MessagePort [EventTarget]';
    if (depth < 0) return `[${name}]`;
    const active = this.#inbox !== undefined;
    const shown = active ? { active, refed: this.#inbox.refed } : { active };
    // What is shown are properties of the port: they are no level deeper.
    return `${name} ${require('internal/util/inspect').inspect(shown, options)}`;
  }
}

// What programs see of it: ports are made by channels only, and this says so however it is called.
function MessagePort() {
  throw nativeError(TypeError, 'ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
}
MessagePort.prototype = Port.prototype;
Object.setPrototypeOf(MessagePort, NodeEventTarget);
Object.defineProperty(Port.prototype, 'constructor', { __proto__: null, value: MessagePort });

defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');
finishClass(MessagePort, ['postMessage', 'start', 'ref', 'unref', 'hasRef', 'close']);

function MessageChannel() {
  if (new.target === undefined) {
    throw nativeError(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
  }
  this.port1 = new Port();
  this.port2 = new Port();
  inside.entangle(this.port1, this.port2);
}

/// `adoptPort(link)` makes a port whose other end is elsewhere: `link(inbox)` gives what stands for it.
module.exports = {
  MessagePort, MessageChannel, isMessagePort: inside.is, isClosed: inside.isClosed,
  inboxOfPort: inside.inboxOf, adoptPort: inside.adopt,
};
