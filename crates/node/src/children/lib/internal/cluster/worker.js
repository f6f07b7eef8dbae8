// A worker of a cluster, as both sides know it.
'use strict';

const EventEmitter = require('events');

/// Messages of the cluster among those of the channel.
const CLUSTER = 'NODE_CLUSTER';

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  EventEmitter.call(this);
  const { state, id, process } = typeof options === 'object' && options !== null ? options : {};
  Object.assign(this, { exitedAfterDisconnect: undefined, state: state || 'none', id: id | 0 });
  if (process) belongTo(this, process);
}
Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);

/// What the process of a worker says, the worker says.
function belongTo(worker, process) {
  worker.process = process;
  for (const event of ['error', 'message']) process.on(event, (one, other) => worker.emit(event, one, other));
}

// How a worker disconnects and ends is another thing on either side.
Object.assign(Worker.prototype, {
  kill(...args) {
    this.destroy(...args);
  },

  send(...args) {
    return this.process.send(...args);
  },

  isDead() {
    const { exitCode, signalCode } = this.process;
    return (exitCode ?? signalCode ?? null) !== null;
  },

  isConnected() {
    return this.process.connected;
  },
});

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

  /// `answered` gets the answer, `settled` hears whether the message has left.
  send(message, handle = undefined, answered = undefined, settled = undefined) {
    if (!this.#process.connected) return false;
    message = { cmd: CLUSTER, ...message, seq: ++this.#last };
    if (answered !== undefined) this.#asked.set(message.seq, answered);
    return this.#process._send(message, handle, { native: true }, settled);
  }
}

module.exports = { Worker, Talk, SCHED_NONE: 1, SCHED_RR: 2 };
