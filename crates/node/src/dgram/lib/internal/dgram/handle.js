// A datagram socket of the world. Its methods throw what the world says about a failed call.
// Uses binding.perform, request, giveUpOperation, referOperation.
'use strict';

const hooked = require('internal/hooked');

const EBADF = -9;
// Under this a socket of programs has its handle, among other things.
const kState = Symbol('state symbol');
// Whether nothing is sent at once.
const waits = require('internal/flags').isOn('--test-udp-no-try-send');

/// The error for what the world says about a failed call.
function failure(fault, syscall, address, port) {
  if (fault instanceof Error) return fault;
  const { codes, errnoException, exceptionWithHostPort, genericNodeError } = require('internal/errors');
  if (fault.code === 'ERR_ACCESS_DENIED') return new codes.ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
  if (fault.code !== '') return genericNodeError(fault.message, { code: fault.code });
  if (port === undefined) return errnoException(fault.errno, syscall);
  return exceptionWithHostPort(fault.errno, syscall, address, port);
}

class UDP {
  #id = undefined;
  #type;
  #lookup;
  // The number of the operation that waits for a message.
  #receiving = undefined;
  #referenced = true;
  // How many messages, and bytes of them, the system has not taken yet.
  #waiting = 0;
  #waitingBytes = 0;
  #isClosed = false;
  // Whether other processes have it, too.
  #isShared = false;

  constructor(type, lookup) {
    this.#type = type;
    this.#lookup = lookup;
    hooked.made('UDPWRAP', this);
  }

  /// Finds the address to bind or to send to; for a missing one, this computer's.
  lookup(address, callback) {
    const family = this.#type === 'udp4' ? 4 : 6;
    const lookup = this.#lookup ?? require('dns').lookup;
    return lookup(address || (family === 4 ? '127.0.0.1' : '::1'), family, callback);
  }

  #open() {
    if (this.#id === undefined) throw { code: '', errno: EBADF };
    return this.#id;
  }

  bind(address, port, options) {
    const EINVAL = -22;
    if (this.#id !== undefined) throw { code: '', errno: EINVAL };
    this.#id = binding.perform('udp.bind', [address, port & 0xffff, { type: this.#type, ...options }]).id;
  }

  /// Becomes the socket that the process was given under that number.
  adopt(fd) {
    this.#id = binding.perform('udp.open', [fd]).id;
    this.#isShared = true;
  }

  /// The number under which the world has it open.
  get id() { return this.#id; }

  // Some calls make a socket where there is none yet.
  ensure() {
    if (this.#id === undefined) this.bind(this.#type === 'udp4' ? '0.0.0.0' : '::', 0, {});
  }

  connect(address, port) {
    binding.perform('udp.connect', [this.#open(), address, port]);
  }

  disconnect() {
    binding.perform('udp.connect', [this.#open()]);
  }

  /// Where this socket is, or the one that it is connected with.
  address(ofPeer) {
    const { address, port, family } = binding.perform('udp.address', [this.#open(), ofPeer]);
    return { address, family, port };
  }

  /// Sets something, of which there may be more than one value; gives what the world tells of it.
  set(name, ...values) {
    return binding.perform('udp.set', [this.#open(), name, ...values]);
  }

  /// Sends, to nobody in particular if the socket is connected. `callback(fault, size)` comes later if
  /// the system does not take it at once: then true is given, and else how many bytes it took.
  send(bytes, address, port, callback) {
    const asked = [this.#open(), bytes, address, port];
    if (this.#waiting === 0 && !waits) {
      const taken = binding.perform('udp.send', asked);
      if (taken !== undefined) return taken;
    }
    this.#waiting++;
    this.#waitingBytes += bytes.length;
    hooked.named('UDPSENDWRAP', this, () => binding.request('udp.send', asked, (fault, size) => {
      this.#waiting--;
      this.#waitingBytes -= bytes.length;
      callback(fault, size);
    }));
    return true;
  }

  get sendQueueCount() { return this.#waiting; }
  get sendQueueSize() { return this.#waitingBytes; }

  /// Calls back with every message that comes, or with a fault, until the socket is closed.
  receive(callback) {
    if (this.#isClosed) return;
    this.#receiving = hooked.within(this, 'UDPWRAP', () => binding.request('udp.receive', [this.#open()], (fault, message) => {
      this.#receiving = undefined;
      // What the callback does must not keep the next message away, even if it throws.
      try {
        // Whoever stops here leaves what comes next to the others that have the socket.
        if (!this.#isShared) this.receive(callback);
        callback(fault, message);
      } finally {
        if (this.#isShared) this.receive(callback);
      }
    }));
    if (!this.#referenced) binding.referOperation(this.#receiving, false);
  }

  stopReceiving() {
    if (this.#receiving !== undefined) binding.giveUpOperation(this.#receiving);
    this.#receiving = undefined;
  }

  close() {
    this.stopReceiving();
    this.#isClosed = true;
    if (this.#id !== undefined) binding.perform('udp.close', [this.#id]);
    this.#id = undefined;
    hooked.ended(this);
  }

  ref() { this.#refer(true); }
  unref() { this.#refer(false); }
  hasRef() { return this.#referenced; }

  #refer(referenced) {
    this.#referenced = referenced;
    if (this.#receiving !== undefined) binding.referOperation(this.#receiving, referenced);
  }
}

module.exports = { UDP, failure, kState };
