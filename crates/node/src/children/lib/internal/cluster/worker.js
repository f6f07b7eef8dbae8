// A worker of a cluster, as both sides know it.
'use strict';

const EventEmitter = require('events');

/// Messages of the cluster among those of the channel.
const CLUSTER = 'NODE_CLUSTER';

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  Reflect.apply(EventEmitter, this, []);
  options = options !== null && typeof options === 'object' ? options : {};
  this.exitedAfterDisconnect = undefined;
  this.state = options.state || 'none';
  this.id = options.id | 0;
  if (options.process) {
    this.process = options.process;
    this.process.on('error', (code, signal) => this.emit('error', code, signal));
    this.process.on('message', (message, handle) => this.emit('message', message, handle));
  }
}
Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);

Worker.prototype.kill = function kill(...args) {
  Reflect.apply(this.destroy, this, args);
};

Worker.prototype.send = function send(...args) {
  return Reflect.apply(this.process.send, this.process, args);
};

Worker.prototype.isDead = function isDead() {
  const { exitCode = null, signalCode = null } = this.process;
  return exitCode !== null || signalCode !== null;
};

Worker.prototype.isConnected = function isConnected() {
  return this.process.connected;
};

/// Sends questions and answers over a channel: each question has a number, and its answer names it.
class Talk {
  #process;
  #asked = new Map();
  #last = 0;

  constructor(process, onMessage) {
    this.#process = process;
    process.on('internalMessage', (message, handle) => {
      if (message.cmd !== CLUSTER) return;
      const answered = this.#asked.get(message.ack);
      if (message.ack === undefined) onMessage(message, handle);
      this.#asked.delete(message.ack);
      answered?.(message, handle);
    });
  }

  send(message, handle = undefined, answered = undefined) {
    if (!this.#process.connected) return false;
    message = { cmd: CLUSTER, ...message, seq: ++this.#last };
    if (answered !== undefined) this.#asked.set(message.seq, answered);
    return this.#process._send(message, handle, { native: true });
  }
}

module.exports = { Worker, Talk, SCHED_NONE: 1, SCHED_RR: 2 };
