// What several workers listen at: the first process takes the connections and hands them out. Sockets of datagrams it
// only opens: all workers get them.
// Uses binding.perform.
'use strict';

const { ListenHandle } = require('internal/net/handle');
const { UDP } = require('internal/dgram/handle');

/// Connections are handed to the workers in turn, each to one that has taken its last.
class Shared {
  #workers = new Map();
  #free = [];
  #waiting = [];
  #handle;
  /// Why it cannot listen, if it cannot.
  fault = undefined;

  constructor(key, options) {
    this.key = key;
    try {
      // What the worker is to read is not read here.
      this.#handle = new ListenHandle({ ...options, paused: true });
    } catch (fault) {
      this.fault = fault;
      return;
    }
    this.#handle.accept((fault, connection) => {
      if (fault !== null) return;
      this.#waiting.push(connection);
      this.#distribute();
    });
  }

  /// Lets a worker have part in it; `ack` is the question that it asked.
  add(worker, talk, ack) {
    this.#workers.set(worker, talk);
    talk.send({ ack, key: this.key, name: this.#handle.name });
    this.#isFree(worker);
  }

  /// True when the last worker has left, and it is closed.
  remove(worker) {
    this.#free = this.#free.filter((other) => other !== worker);
    if (!this.#workers.delete(worker) || this.#workers.size > 0) return false;
    this.#handle.close();
    for (const { id } of this.#waiting) binding.perform('stream.close', [id, true]);
    return true;
  }

  #isFree(worker) {
    if (!this.#workers.has(worker) || this.#free.includes(worker)) return;
    this.#free.push(worker);
    this.#distribute();
  }

  #distribute() {
    while (this.#free.length > 0 && this.#waiting.length > 0) this.#handOut(this.#free.shift(), this.#waiting.shift());
  }

  #handOut(worker, connection) {
    const { id } = connection;
    this.#workers.get(worker).send({ act: 'newconn', key: this.key }, { id }, ({ accepted, isFull }) => {
      if (accepted) {
        binding.perform('stream.close', [id, false]);
      } else if (this.#workers.size > 0) {
        // One that has as many as it wants, or has stopped listening meanwhile, leaves it to the others.
        this.#waiting.unshift(connection);
        this.#distribute();
      } else {
        binding.perform('stream.close', [id, true]);
      }
      if (accepted || isFull) this.#isFree(worker);
    });
  }
}

/// A socket of datagrams; whoever asks first gets the next one.
class SharedDatagrams {
  #workers = new Set();
  #socket;
  /// Why it cannot be opened, if it cannot.
  fault = undefined;

  constructor(key, { address, port, type, ...options }) {
    this.key = key;
    this.#socket = new UDP(type);
    try {
      this.#socket.bind(address, port, { ...options, shared: true });
    } catch (fault) {
      this.fault = fault;
    }
  }

  /// Lets a worker have it; `ack` is the question that it asked.
  add(worker, talk, ack) {
    this.#workers.add(worker);
    const { key } = this;
    talk.send({ ack, key }, { id: this.#socket.id, ofDatagrams: true }, undefined, (failed) => {
      if (failed !== null) talk.send({ ack, key, errno: failed.errno });
    });
  }

  /// True when the last worker has left, and it is closed.
  remove(worker) {
    if (!this.#workers.delete(worker) || this.#workers.size > 0) return false;
    this.#socket.close();
    return true;
  }
}

module.exports = { Shared, SharedDatagrams };
