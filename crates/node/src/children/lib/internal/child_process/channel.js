// The channel between a program and one that it has forked, on both sides: messages and handles.
// Uses binding.request, perform, referOperation, giveUpOperation, nextTick.
'use strict';

const active = require('internal/active');
const { codes, errnoException } = require('internal/errors');
const { validateObject } = require('internal/validators');

const { ERR_INVALID_ARG_TYPE, ERR_IPC_CHANNEL_CLOSED, ERR_IPC_DISCONNECTED, ERR_MISSING_ARGS } = codes;

// Above this many bytes that wait, `send` says that it is enough.
const MANY_BYTES = 65536 * 2;
// What may be sent.
const types = ['string', 'object', 'number', 'boolean'];

/// Whether a message is the library's own (rule CHILD-19).
const isInternal = (message) => typeof message?.cmd === 'string' && /^NODE_./s.test(message.cmd);

/// What a program sees as `channel`: whether it keeps the program alive.
class Control extends require('events') {
  #channel;

  constructor(channel) {
    super();
    this.#channel = channel;
    Object.defineProperty(this, 'fd', { enumerable: false, value: undefined });
  }

  /// Counts those who want to go on hearing, as long as nobody has said it for all.
  refCounted() {
    this.#channel.count(1);
  }

  unrefCounted() {
    this.#channel.count(-1);
  }

  ref() {
    this.#channel.refer(true);
  }

  unref() {
    this.#channel.refer(false);
  }
}

/// What a channel is to who asks what keeps the program alive.
const nameOf = (channel) => (channel.isReferenced ? 'PipeWrap' : undefined);

class Channel {
  #id;
  #target;
  #format;
  #operation;
  #onClosed;
  #isClosed = false;
  // Messages for which there was no listener yet.
  #pending = [];
  #waitingBytes = 0;
  #writes = new Set();
  // Who is told that a connection is closed on the other side, by its number.
  #connections = new Map();
  #lastConnection = 0;
  // Nothing else is sent while a handle is on its way.
  #handle;
  #queue = [];
  #isEnding = false;
  // How many listeners in the child want it to go on, unless the program has said itself what it wants.
  #listeners = 0;
  #isExplicit = false;
  isReferenced = true;
  // How many times something came.
  received = 0;

  constructor(target, id, serialization, onClosed) {
    this.#id = id;
    this.#target = target;
    this.#format = new (require('internal/child_process/messages').formats[serialization])();
    this.#onClosed = onClosed;
    this.control = new Control(this);
    active.opened(this, nameOf, target);
    this.#read();
  }

  #read() {
    this.#operation = binding.request('channel.read', [this.#id], (fault, bytes) => {
      this.#operation = undefined;
      this.received++;
      if (this.#isClosed) return;
      if (fault !== null || bytes.length === 0) this.#ended();
      else this.#received(bytes);
    });
    this.#applyReference();
  }

  #applyReference() {
    if (this.#operation !== undefined) binding.referOperation(this.#operation, this.isReferenced);
  }

  refer(isReferenced) {
    this.#isExplicit = true;
    this.isReferenced = isReferenced;
    this.#applyReference();
  }

  /// Counts listeners: in a child, only who listens is kept alive by the channel.
  count(change) {
    this.#listeners += change;
    if (this.#isExplicit) return;
    this.isReferenced = this.#listeners > 0;
    this.#applyReference();
  }

  #received(bytes) {
    const messages = this.#format.take(bytes);
    this.#read();
    for (const message of messages) {
      if (isInternal(message)) this.#internal(message);
      else this.#emitLater('message', message, undefined);
    }
  }

  #internal(message) {
    switch (message.cmd) {
      case 'NODE_HANDLE': {
        const handle = this.#takeHandle(message);
        this.#write({ cmd: handle === undefined ? 'NODE_HANDLE_NACK' : 'NODE_HANDLE_ACK' });
        if (handle === undefined) return;
        const { ReceivedHandle } = require('internal/child_process/handles');
        handle.open((opened) => {
          const { number } = message;
          if (number !== undefined) opened.once('close', () => { if (!this.#isClosed) this.#write({ cmd: 'NODE_SOCKET_GONE', number }); });
          if (isInternal(message.msg)) this.#emitLater('internalMessage', message.msg, opened);
          else this.#emitLater('message', message.msg, message.type === 'net.Native' ? new ReceivedHandle(opened) : opened);
        });
        return;
      }
      case 'NODE_HANDLE_ACK':
      case 'NODE_HANDLE_NACK':
        this.#handleArrived(message.cmd === 'NODE_HANDLE_ACK');
        return;
      case 'NODE_SOCKET_GONE':
        this.#gone(message.number);
        return;
      default:
        this.#emitLater('internalMessage', message, undefined);
    }
  }

  #takeHandle(message) {
    const fd = binding.perform('channel.take', [this.#id]);
    if (fd === null) return undefined;
    const given = require('internal/child_process/handles').receive(message, fd);
    if (given === undefined) binding.perform('channel.taken', [fd]);
    return given;
  }

  #emitLater(event, message, handle) {
    const target = this.#target;
    binding.nextTick(() => {
      if (event === 'internalMessage' || target.listenerCount('message') > 0) target.emit(event, message, handle);
      else if (!this.#isClosed) this.#pending.push([message, handle]);
    });
  }

  /// Somebody listens: what came before is not lost.
  listened() {
    binding.nextTick(() => {
      if (this.#target.listenerCount('message') === 0) return;
      const pending = this.#pending;
      this.#pending = [];
      for (const [message, handle] of pending) this.#target.emit('message', message, handle);
    });
  }

  /// Whether nothing more is sent or heard.
  get isClosed() {
    return this.#isClosed;
  }

  /// Sends a message, and perhaps a handle. False when the program should wait before it sends more.
  send(message, handle, options, callback) {
    const wanted = handle === undefined ? undefined : require('internal/child_process/handles').describe(handle, options);
    const told = wanted === undefined ? message :
      { cmd: 'NODE_HANDLE', type: wanted.type, dgramType: wanted.dgramType, number: this.#note(wanted), msg: message };
    if (this.#handle !== undefined) {
      this.#queue.push([told, wanted, callback]);
      return this.#queue.length === 1;
    }
    return this.#dispatch(told, wanted, callback);
  }

  /// Gives a connection that goes to the other side its number, if anybody is to be told what becomes of it.
  #note(wanted) {
    if (wanted.gone === undefined) return undefined;
    wanted.number = ++this.#lastConnection;
    this.#connections.set(wanted.number, wanted.gone);
    return wanted.number;
  }

  #gone(number) {
    this.#connections.get(number)?.();
    this.#connections.delete(number);
  }

  #dispatch(message, handle, callback) {
    if (handle !== undefined) this.#handle = handle;
    return this.#write(message, handle, callback);
  }

  #write(message, handle, callback) {
    let bytes = this.#format.make(message);
    const settled = (fault) => {
      if (handle !== undefined && fault !== null) this.#handleArrived(false);
      if (typeof callback === 'function') callback(fault === null ? null : errnoException(fault.errno, 'write'));
    };
    const args = handle === undefined ? [] : [handle.id, handle.ofDatagrams === true];
    let sent;
    try {
      sent = binding.perform('channel.tryWrite', [this.#id, bytes, ...args]);
    } catch (fault) {
      binding.nextTick(settled, fault);
      return true;
    }
    if (sent === bytes.length) {
      binding.nextTick(settled, null);
      return true;
    }
    if (sent > 0) {
      bytes = bytes.subarray(sent);
      args.length = 0;
    }
    this.#waitingBytes += bytes.length;
    const write = {};
    this.#writes.add(write);
    binding.request('channel.write', [this.#id, bytes, ...args], (fault) => {
      this.#waitingBytes -= bytes.length;
      this.#writes.delete(write);
      settled(fault);
      if (this.#isEnding && this.#writes.size === 0) this.#finish();
    });
    return this.#waitingBytes < MANY_BYTES;
  }

  #handleArrived(isTaken) {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    handle.arrived(isTaken);
    if (!isTaken) this.#gone(handle.number);
    while (this.#queue.length > 0 && this.#handle === undefined) this.#dispatch(...this.#queue.shift());
    if (this.#isEnding && this.#writes.size === 0) this.#finish();
  }

  /// Ends it from this side, once all is sent.
  disconnect() {
    if (this.#isClosed || this.#isEnding) return;
    this.#isEnding = true;
    detach(this.#target);
    if (this.#writes.size === 0 && this.#handle === undefined) binding.nextTick(() => this.#finish());
  }

  #ended() {
    if (!this.#isEnding) {
      this.#isEnding = true;
      detach(this.#target);
    }
    binding.nextTick(() => this.#finish());
  }

  #finish() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    active.closed(this);
    if (this.#operation !== undefined) binding.giveUpOperation(this.#operation);
    this.#operation = undefined;
    binding.perform('channel.close', [this.#id]);
    // Nothing is heard of them any more.
    for (const number of this.#connections.keys()) this.#gone(number);
    this.#target.emit('disconnect');
    binding.nextTick(() => this.#onClosed());
  }
}

function detach(target) {
  target.connected = false;
  target.channel = null;
}

/// The handle, the options and the callback of `send`, of which each may be left out.
function sortArguments(handle, options, callback) {
  if (typeof handle === 'function') return [undefined, undefined, handle];
  if (typeof options === 'function') return [handle, undefined, options];
  if (options !== undefined) validateObject(options, 'options');
  return [handle, options, callback];
}

function checkMessage(message) {
  if (message === undefined) throw new ERR_MISSING_ARGS('message');
  if (!types.includes(typeof message)) throw new ERR_INVALID_ARG_TYPE('message', types, message);
}

/// Rule CHILD-18: nobody is there any more.
function refuseToSend(target, callback) {
  const error = new ERR_IPC_CHANNEL_CLOSED();
  binding.nextTick(typeof callback === 'function' ? callback : () => target.emit('error', error), error);
  return false;
}

/// What a child, or the process of one, gets to send and to end the channel with. Packages wrap these, so that each
/// calls the one below it as a method.
const methods = (channel) => ({
  _send(message, handle, options, callback) {
    checkMessage(message);
    return channel.send(message, handle ?? undefined, options, callback);
  },
  send(message, handle, options, callback) {
    const [given, settings, done] = sortArguments(handle, options, callback);
    return this.connected ? this._send(message, given, settings, done) : refuseToSend(this, done);
  },
  disconnect() {
    if (this.connected) this._disconnect();
    else this.emit('error', new ERR_IPC_DISCONNECTED());
  },
  _disconnect() {
    channel.disconnect();
  },
});

/// The name that the channel once had.
function defineOldName(target) {
  const { deprecate } = require('internal/util/deprecate');
  const say = (act) => deprecate(act, '_channel is deprecated. Use ChildProcess.channel instead.', 'DEP0129');
  Object.defineProperty(target, '_channel', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get: say(() => target.channel),
    set: say((value) => { target.channel = value; }),
  });
}

/// Gives a child, or the process of one, what it needs to send and to hear.
function connect(target, id, serialization, onClosed) {
  const channel = new Channel(target, id, serialization, onClosed);
  Object.assign(target, { channel: channel.control, connected: true }, methods(channel));
  defineOldName(target);
  target.on('newListener', (event) => {
    if (event === 'message') channel.listened();
  });
  return channel;
}

/// The parent's side.
exports.connectChild = connect;

/// The child's side: the channel keeps it alive only while it listens.
exports.connectParent = function connectParent(process, id, serialization) {
  const channel = connect(process, id, serialization, () => {});
  const counts = (event) => event === 'message' || event === 'disconnect';
  channel.count(0);
  process.on('newListener', (event) => {
    if (counts(event)) channel.count(1);
  });
  process.on('removeListener', (event) => {
    if (counts(event)) channel.count(-1);
  });
};
