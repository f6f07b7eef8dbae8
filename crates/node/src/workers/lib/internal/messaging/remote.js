// Messages to and from other machines: what stands in for the far end of a channel.
//
// Takes from `binding`: perform, request, referOperation, giveUpOperation, shareMemory, sharedMemory, writePlain,
// readPlain.
//
// The world knows a port by its number. It tells that something waits there (`port.receive`); what it is
// is taken out message by message (`port.take`), so none is lost when a port moves on meanwhile.
'use strict';

const hooked = require('internal/hooked');
const { theEnd } = require('internal/messaging/inbox');
const { dataCloneError } = require('internal/structured_clone');
const { kWire, revivers } = require('internal/transfer');
const { isMessagePort, inboxOfPort, adoptPort } = require('internal/messaging/port');

// How many messages all ports together take in a turn of the loop, and how many one of them takes at least:
// whatever others send, timers and immediates have their turn.
const MANY = 1000;
const FEW = 16;

// How many ports there are.
let links = 0;

// What has a class of its own in a message: a port, and what is made anew.
const PORT = 0;
const MADE = 1;

/// A value that was copied, as the world carries it: bytes, and the numbers of ports and memory.
function write(value) {
  const { Writer } = require('internal/wire');
  const numbers = [];
  const memory = [];
  const writer = new Writer({
    hostObject(to, object) {
      if (isMessagePort(object)) {
        to.hostTag();
        to.uint32(PORT);
        to.uint32(numbers.push(giveAway(object)) - 1);
        return true;
      }
      if (typeof object[kWire] !== 'function') return false;
      const [name, data] = object[kWire]();
      to.hostTag();
      to.uint32(MADE);
      to.value(name);
      to.value(data);
      return true;
    },
    sharedBuffer(to, buffer) {
      to.uint32(memory.push(binding.shareMemory(buffer)) - 1);
      to.uint32(buffer.byteLength);
      to.uint32(buffer.growable ? buffer.maxByteLength : 0);
    },
  });
  writer.value(value);
  return [writer.finish(), numbers, memory];
}

/// The value of such a message, and the ports that came with it.
function read(raw) {
  // Not by an iterator: this is done for every message.
  const { 0: bytes, 1: numbers, 2: memory } = raw;
  if (numbers.length === 0) {
    const value = binding.readPlain(bytes, theEnd);
    if (value !== theEnd) return { value, ports: [] };
  }
  const { Reader } = require('internal/wire');
  const received = numbers.map((number) => adoptPort((inbox) => new Link(inbox, number)));
  const reader = new Reader(bytes, {
    hostObject(from) {
      if (from.uint32() === PORT) return received[from.uint32()];
      return revivers[from.value()](from.value());
    },
    sharedBuffer(from) {
      return binding.sharedMemory(memory[from.uint32()], from.uint32(), from.uint32());
    },
  });
  return { value: reader.value(), ports: received };
}

/// The far end of a channel, as the near one sees it.
class Link {
  #inbox;
  #number;
  #operation;
  #over = false;

  constructor(inbox, number) {
    this.#inbox = inbox;
    this.#number = number;
    links++;
    this.#listen();
  }

  get number() {
    return this.#number;
  }

  // The far end lives elsewhere: what the near one says about it is told by `put`.
  set peer(_) {}
  set owner(_) {}

  put(message) {
    if (message === theEnd) {
      this.#stop();
      binding.perform('port.close', [this.#number]);
      return;
    }
    sendTo(this.#number, message);
  }

  /// Sends a value that need not be copied first; false for one that must.
  putPlain(value) {
    const bytes = binding.writePlain(value);
    if (bytes === undefined) return false;
    post(this.#number, bytes, [], []);
    return true;
  }

  #listen() {
    // To hooks, what comes is the port's.
    this.#operation = hooked.quietly(() => binding.request('port.receive', [this.#number], () => {
      this.#operation = undefined;
      if (this.pull(Math.max(FEW, Math.floor(MANY / links)))) this.#listen();
    }));
    // What keeps the program alive is the port, if anything.
    binding.referOperation(this.#operation, false);
  }

  #stop() {
    if (!this.#over) links--;
    this.#over = true;
    if (this.#operation !== undefined) binding.giveUpOperation(this.#operation);
    this.#operation = undefined;
  }

  /// Takes what waits in the world; false once the far end is gone.
  pull(limit) {
    for (let count = 0; count < limit; ++count) {
      const raw = binding.perform('port.take', [this.#number]);
      if (raw === undefined) break;
      if (raw === null) {
        this.#stop();
        binding.perform('port.close', [this.#number]);
        this.#inbox.peer = undefined;
        this.#inbox.put(theEnd);
        return false;
      }
      this.#inbox.put({ raw });
    }
    return true;
  }

  /// Leaves the port to whoever gets its number; gives back what was taken too early.
  release(waiting) {
    this.#stop();
    for (const { raw } of waiting.reverse()) binding.perform('port.return', [this.#number, ...raw]);
    return this.#number;
  }
}

/// Gives a port away to another machine: its number in the world.
function giveAway(port) {
  const inbox = inboxOfPort(port);
  const waiting = inbox.takeAll();
  const { peer } = inbox;
  inbox.owner = undefined;
  inbox.peer = undefined;
  inbox.hold(false);
  if (peer instanceof Link) return peer.release(waiting);
  const [far, near] = binding.perform('port.open', []);
  if (peer === undefined) {
    for (const message of waiting) sendTo(near, message);
    binding.perform('port.close', [near]);
    return far;
  }
  peer.peer = new Link(peer, near);
  for (const message of waiting) peer.peer.put(message);
  return far;
}

function sendTo(number, message) {
  if (message === theEnd) return;
  const { 0: bytes, 1: numbers, 2: memory } = message.raw ?? write(message.value);
  post(number, bytes, numbers, memory);
}

function post(number, bytes, numbers, memory) {
  try {
    binding.perform('port.post', [number, bytes, numbers, memory]);
  } catch (fault) {
    if (fault.code === 'ENOMEM') throw dataCloneError('Data cannot be cloned, out of memory.');
    throw fault;
  }
}

module.exports = { Link, write, read };
