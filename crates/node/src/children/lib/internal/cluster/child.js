// A worker of a cluster, from inside: what it listens at is its first process's.
// Uses binding.env, perform, queueClose; gives binding.clusterListen, clusterBind.
'use strict';

const EventEmitter = require('events');
const process = require('internal/process');
const { Worker, Talk, SCHED_NONE, SCHED_RR } = require('internal/cluster/worker');

const LONG = 2 ** 31 - 1;

const cluster = new EventEmitter();
cluster.isWorker = true;
cluster.isMaster = false;
cluster.isPrimary = false;
cluster.worker = null;
cluster.Worker = Worker;
cluster.SCHED_NONE = SCHED_NONE;
cluster.SCHED_RR = SCHED_RR;

let talk;
// Servers of this worker and what they listen at, by key.
const open = new Map();
const counts = new Map();

/// What a server listens at whose connections come through the channel.
class HandedOut {
  #alive;

  constructor(key, name) {
    this.key = key;
    this.name = name;
    this.closed = false;
    this.ref();
  }

  accept(callback) {
    this.onconnection = callback;
  }

  close(callback) {
    if (this.closed) return;
    this.closed = true;
    closed(this.key);
    this.unref();
    if (callback !== undefined) binding.queueClose(callback);
  }

  ref() {
    this.#alive ??= require('internal/timers').guards.setInterval(() => {}, LONG);
  }

  unref() {
    require('timers').clearInterval(this.#alive);
    this.#alive = undefined;
  }

  hasRef() {
    return this.#alive !== undefined;
  }
}

function closed(key) {
  open.delete(key);
  talk.send({ act: 'close', key });
}

// Which of this worker's servers at one place it is: those that want any port get one each, and the same
// in every worker.
function keyOf({ host, port, path, fd, type }) {
  const place = [host ?? path, port, fd, type].join(':');
  const count = counts.get(place) ?? 0;
  counts.set(place, count + 1);
  return `${place}:${count}`;
}

/// Listens with the others: `done(fault, handle)`.
function listen(server, { isEverywhere, ...options }, done) {
  // A relative path is one from here: the first process may be elsewhere.
  if (/^[^/\0]/.test(options.path ?? '')) options.path = require('internal/fs/gate').absolute(options.path);
  const key = keyOf(options);
  talk.send({ act: 'queryServer', key, options }, undefined, ({ errno, name }) => {
    if (errno !== undefined) return done({ code: '', errno, syscall: 'listen' });
    const handle = new HandedOut(key, name);
    open.set(key, { server, handle });
    server.once('listening', () => {
      cluster.worker.state = 'listening';
      const { family } = handle.name ?? {};
      const addressType = family === undefined ? -1 : family === 'IPv6' && !isEverywhere ? 6 : 4;
      // Who listens everywhere has named no address, and a path has no port.
      const address = isEverywhere ? null : options.host ?? options.path;
      talk.send({ act: 'listening', addressType, address, port: handle.name?.port ?? options.port ?? -1, fd: options.fd });
    });
    done(null, handle);
  });
}

/// Has part in a socket of datagrams: `done(fault, given)`.
function bind(socket, options, done) {
  const { address: host, port, type } = options;
  const key = keyOf({ host, port, type });
  let isClosed = false;
  const leaveIt = () => {
    isClosed = true;
    closed(key);
  };
  socket.once('close', leaveIt);
  talk.send({ act: 'queryServer', key, options }, undefined, ({ errno }, given) => {
    if (errno !== undefined) {
      socket.removeListener('close', leaveIt);
      return done({ code: '', errno });
    }
    if (!isClosed) {
      open.set(key, { server: socket });
      socket.once('listening', () => {
        cluster.worker.state = 'listening';
        const { address, port: bound } = socket.address();
        talk.send({ act: 'listening', addressType: type, address, port: bound, fd: -1 });
      });
      done(null, given);
    }
    given.taken();
  });
}

function received(message, given) {
  if (message.act === 'disconnect') {
    leave(true);
  } else if (message.act === 'newconn') {
    const connection = binding.perform('net.open', [given.fd]);
    given.taken();
    const found = open.get(message.key);
    const isFull = found !== undefined && !found.server.dropMaxConnection && found.server._connections >= found.server.maxConnections;
    const accepted = found !== undefined && !isFull;
    talk.send({ ack: message.seq, accepted, isFull });
    if (accepted) found.handle.onconnection(null, connection);
    // The first process still has it.
    else binding.perform('stream.close', [connection.id, false]);
  }
}

// Closes all servers, and then the channel.
function leave(isTold) {
  const { worker } = cluster;
  worker.exitedAfterDisconnect = true;
  let waiting = 1;
  const closedOne = () => {
    if (--waiting > 0) return;
    if (isTold) process.disconnect();
    else talk.send({ act: 'exitedAfterDisconnect' }, undefined, () => process.disconnect());
  };
  for (const { server } of [...open.values()]) {
    waiting++;
    server.close(closedOne);
  }
  closedOne();
}

Worker.prototype.disconnect = function disconnect() {
  if (!['disconnecting', 'destroying'].includes(this.state)) {
    this.state = 'disconnecting';
    leave(false);
  }
  return this;
};

Worker.prototype.destroy = function destroy() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) return process.exit(0);
  this.state = 'destroying';
  talk.send({ act: 'exitedAfterDisconnect' }, undefined, () => process.disconnect());
  process.once('disconnect', () => process.exit(0));
};

/// Called before the first line of the program.
cluster._setupWorker = function _setupWorker() {
  const id = +binding.env.NODE_UNIQUE_ID;
  delete binding.env.NODE_UNIQUE_ID;
  if (!process.connected) return;
  const worker = new Worker({ id, process, state: 'online' });
  cluster.worker = worker;
  process.once('disconnect', () => {
    worker.emit('disconnect');
    // Without its first process it is nobody's worker.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  talk = new Talk(process, received);
  binding.clusterListen = listen;
  binding.clusterBind = bind;
  talk.send({ act: 'online' });
};

module.exports = cluster;
