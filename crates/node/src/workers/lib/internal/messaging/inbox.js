// Where messages wait for their receiver: a port, or a broadcast channel.
//
// Takes from `binding`:
//   queueMessage(callback, receiver, keepsAlive)  runs the callback as a macrotask of its own; `receiver`
//                     is a number, by which the loop serves receivers in the order they were made
//   getFrame(), swapFrame(frame)  the values of the context
//   isTakingMessage   is set while a receiver gets one
//   holdLoop(change)  adds 1 or -1 to the number of receivers that keep the program alive
'use strict';

const Queue = require('internal/queue');
const active = require('internal/active');
const hooked = require('internal/hooked');

const kReceive = Symbol('kReceive');

// Waits in a queue like a message, behind which nothing comes.
const theEnd = { ends: true };

// How many messages are taken from elsewhere at once.
const MANY = 1000;

let made = 0;

// Reads what came from elsewhere; its file requires this one.
let read;

/// A message as it is received; one that came from elsewhere is read only then.
function open(message) {
  if (message.raw === undefined) return message;
  try {
    read ??= require('internal/messaging/remote').read;
    return read(message.raw);
  } catch (failure) {
    return { failure };
  }
}

const nameOf = () => 'MessagePort';

/// A queue of messages, each taken out by a macrotask of its own.
///
/// Such a macrotask is asked for when the message arrives or when the receiver starts; `asked` counts
/// those to come. The end of the other side is taken out even if the receiver has not started.
class Inbox {
  // A message is received in the context in which the receiver was made, whoever sent it.
  #frame = binding.getFrame();
  #queue = new Queue();
  #asked = 0;
  #started = false;
  #refed = false;
  #id = ++made;
  // Whether messages remain that could be taken at once after the one being received.
  #taking = false;

  // What has a method `kReceive`, called with each message; undefined once nobody receives.
  owner;
  // The inbox at the other end of a channel, while it is there.
  peer = undefined;

  constructor(owner) {
    this.owner = owner;
  }

  get refed() {
    return this.#refed;
  }

  put(message) {
    this.#queue.push(message);
    this.#ask();
  }

  start() {
    this.#started = true;
    this.#ask();
  }

  stop() {
    this.#started = false;
  }

  /// It is another's from now on, who was made just now.
  giveTo(owner) {
    this.owner = owner;
    this.#id = ++made;
  }

  /// Stops, unless the receiver is half way through what waits: the rest then still arrives.
  stopUnlessTaking() {
    if (!this.#taking) this.#started = false;
  }

  /// Says whether the receiver keeps the program alive.
  hold(refed) {
    if (refed === this.#refed) return;
    this.#refed = refed;
    binding.holdLoop(refed ? 1 : -1);
    if (refed) active.opened(this, nameOf, this.owner);
    else active.closed(this);
  }

  /// Takes the next message out at once; undefined if there is none.
  takeNow() {
    // What waits elsewhere is taken, too; not all of it, or who never stops sending would never be served.
    if (this.#queue.length < MANY) this.peer?.pull?.(MANY);
    const { front } = this.#queue;
    return front === undefined || front.ends ? undefined : open(this.#queue.shift());
  }

  /// Takes all messages out, as they are.
  takeAll() {
    const all = [];
    while (this.#queue.length > 0) all.push(this.#queue.shift());
    return all;
  }

  /// Runs something after the messages that have been asked for so far.
  later(callback) {
    this.#queueTask(() => {
      binding.swapFrame(this.#frame);
      callback();
    }, true);
  }

  /// Asks for a macrotask, which belongs to the receiver.
  #queueTask(task, keepsAlive) {
    if (this.owner === undefined) binding.queueMessage(task, this.#id, keepsAlive);
    else hooked.within(this.owner, 'MESSAGEPORT', () => binding.queueMessage(task, this.#id, keepsAlive));
  }

  #deliverable() {
    const { front } = this.#queue;
    return front !== undefined && this.owner !== undefined && (this.#started || front.ends === true);
  }

  #ask() {
    if (!this.#deliverable()) return;
    while (this.#asked < this.#queue.length) {
      this.#asked++;
      this.#queueTask(() => this.#take(), this.#refed || this.#queue.front.ends === true);
    }
  }

  #take() {
    this.#asked--;
    if (!this.#deliverable()) return;
    const message = open(this.#queue.shift());
    this.#taking = this.#queue.length > 0;
    binding.swapFrame(this.#frame);
    binding.isTakingMessage = true;
    try {
      this.owner[kReceive](message);
    } finally {
      binding.isTakingMessage = false;
    }
  }
}

module.exports = { Inbox, theEnd, kReceive };
