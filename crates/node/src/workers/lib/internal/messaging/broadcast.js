// BroadcastChannel: every message goes to all other channels of the same name, in this program and in
// other machines of the run.
'use strict';

const { codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS } } = require('internal/errors');
const { EventTarget, defineEventHandler, finishClass } = require('internal/event_target');
const { inspectAs } = require('internal/event');
const { DOMException } = require('internal/domexception');
const { Inbox, theEnd, kReceive } = require('internal/messaging/inbox');
const { cloneAndTransfer } = require('internal/structured_clone');
const hooked = require('internal/hooked');
const { MessageEvent } = require('internal/messaging/message_event');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

// The open channels' inboxes, by name.
const groups = new Map();

// What connects the channels of a name with those of other machines, once there are others.
const links = new Map();
let isConnected = false;

function connect(name) {
  const { Link } = require('internal/messaging/remote');
  const put = (message) => groups.get(name)?.forEach((inbox) => inbox.put(message));
  links.set(name, new Link({ put }, binding.perform('port.join', [name])));
}

/// There are other machines from now on.
function connectAll() {
  if (isConnected) return;
  isConnected = true;
  for (const name of groups.keys()) connect(name);
}

// What other files need of a channel's inside: `is`, `inboxOf`.
const inside = {};

class BroadcastChannel extends EventTarget {
  #name;
  // Undefined once the channel is closed.
  #inbox;

  constructor(name) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    super();
    this.#name = `${name}`;
    this.#inbox = new Inbox(this);
    hooked.made('MESSAGEPORT', this);
    let group = groups.get(this.#name);
    if (group === undefined) {
      groups.set(this.#name, group = new Set());
      if (isConnected) connect(this.#name);
    }
    group.add(this.#inbox);
    this.#inbox.hold(true);
    this.#inbox.start();
  }

  static {
    inside.is = (value) => #inbox in Object(value);
    inside.inboxOf = (channel) => channel.#inbox;
  }

  static #check(value) {
    if (!inside.is(value)) throw new ERR_INVALID_THIS('BroadcastChannel');
  }

  get name() {
    BroadcastChannel.#check(this);
    return this.#name;
  }

  close() {
    BroadcastChannel.#check(this);
    const inbox = this.#inbox;
    if (inbox === undefined) return;
    this.#inbox = undefined;
    const group = groups.get(this.#name);
    group.delete(inbox);
    if (group.size === 0) {
      groups.delete(this.#name);
      links.get(this.#name)?.put(theEnd);
      links.delete(this.#name);
    }
    inbox.stop();
    inbox.hold(false);
    hooked.ended(this);
  }

  postMessage(message) {
    BroadcastChannel.#check(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('message');
    if (this.#inbox === undefined) throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    const copy = cloneAndTransfer(message, []);
    for (const inbox of groups.get(this.#name)) {
      if (inbox !== this.#inbox) inbox.put(cloneAndTransfer(copy.value, []));
    }
    links.get(this.#name)?.put(copy);
  }

  ref() {
    BroadcastChannel.#check(this);
    this.#inbox?.hold(true);
    return this;
  }

  unref() {
    BroadcastChannel.#check(this);
    this.#inbox?.hold(false);
    return this;
  }

  [kReceive]({ value, failure }) {
    if (failure !== undefined) this.dispatchEvent(new MessageEvent('messageerror', { data: failure }));
    else this.dispatchEvent(new MessageEvent('message', { data: value }));
  }

  [kInspect](depth, options) {
    BroadcastChannel.#check(this);
    return inspectAs('BroadcastChannel', { name: this.#name, active: this.#inbox !== undefined }, depth, options);
  }
}

finishClass(BroadcastChannel, ['name', 'close', 'postMessage']);
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

module.exports = { BroadcastChannel, connectAll, isBroadcastChannel: inside.is, inboxOfChannel: inside.inboxOf };
