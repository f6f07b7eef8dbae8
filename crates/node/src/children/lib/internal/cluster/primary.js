// The first process of a cluster: it starts the workers, and gives them what they listen at.
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const process = require('internal/process');
const { Worker, Talk, SCHED_NONE, SCHED_RR } = require('internal/cluster/worker');
const { Shared } = require('internal/cluster/shared');

const cluster = new EventEmitter();
const talks = new WeakMap();
// What is shared, by where it listens.
const servers = new Map();
// Tells when the last worker has left.
const leaving = new EventEmitter();
let lastId = 0;

cluster.isWorker = false;
cluster.isMaster = true;
cluster.isPrimary = true;
cluster.Worker = Worker;
cluster.workers = {};
cluster.settings = {};
cluster.SCHED_NONE = SCHED_NONE;
cluster.SCHED_RR = SCHED_RR;
// Either way the workers take turns: nobody but the first process takes connections.
cluster.schedulingPolicy = { none: SCHED_NONE, rr: SCHED_RR }[process.env.NODE_CLUSTER_SCHED_POLICY] ?? SCHED_RR;

cluster.setupPrimary = function setupPrimary(options) {
  const settings = {
    args: process.argv.slice(2), exec: process.argv[1], execArgv: process.execArgv, silent: false,
    ...cluster.settings, ...options,
  };
  cluster.settings = settings;
  binding.nextTick(() => cluster.emit('setup', settings));
};
cluster.setupMaster = cluster.setupPrimary;

function startProcess(id, env) {
  const { exec, args, cwd, serialization, silent, windowsHide, execArgv, stdio, gid, uid } = cluster.settings;
  return require('child_process').fork(exec, args, {
    cwd, serialization, silent, windowsHide, execArgv, stdio, gid, uid, env: { ...require('internal/process/env').inherited(), ...env, NODE_UNIQUE_ID: `${id}` },
  });
}

cluster.fork = function fork(env) {
  cluster.setupPrimary();
  const id = ++lastId;
  const worker = new Worker({ id, process: startProcess(id, env) });
  talks.set(worker, new Talk(worker.process, (message) => received(worker, message)));
  worker.on('message', (message, handle) => cluster.emit('message', worker, message, handle));
  worker.process.once('exit', (code, signal) => {
    // Who is still connected is looked for among the workers.
    if (!worker.isConnected()) forget(worker);
    worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
    worker.state = 'dead';
    worker.emit('exit', code, signal);
    cluster.emit('exit', worker, code, signal);
  });
  worker.process.once('disconnect', () => {
    leaveServers(worker);
    if (worker.isDead()) forget(worker);
    worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
    worker.state = 'disconnected';
    worker.emit('disconnect');
    cluster.emit('disconnect', worker);
  });
  binding.nextTick(() => cluster.emit('fork', worker));
  cluster.workers[id] = worker;
  return worker;
};

cluster.disconnect = function disconnect(callback) {
  const workers = Object.values(cluster.workers);
  if (workers.length === 0) {
    binding.nextTick(() => leaving.emit('disconnect'));
  } else {
    for (const worker of workers) if (worker.isConnected()) worker.disconnect();
  }
  if (typeof callback === 'function') leaving.once('disconnect', callback);
};

function leaveServers(worker) {
  for (const [key, server] of servers) {
    if (server.remove(worker)) servers.delete(key);
  }
}

function forget(worker) {
  leaveServers(worker);
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) leaving.emit('disconnect');
}

function received(worker, message) {
  const talk = talks.get(worker);
  switch (message.act) {
    case 'online':
      worker.emit('online');
      cluster.emit('online', worker);
      return;
    case 'listening': {
      const { addressType, address, port, fd } = message;
      const info = { addressType, address, port, fd };
      worker.state = 'listening';
      worker.emit('listening', info);
      cluster.emit('listening', worker, info);
      return;
    }
    case 'exitedAfterDisconnect':
      worker.exitedAfterDisconnect = true;
      talk.send({ ack: message.seq });
      return;
    case 'queryServer':
      share(worker, talk, message);
      return;
    case 'close': {
      const server = servers.get(message.key);
      if (server?.remove(worker)) servers.delete(message.key);
      return;
    }
    default:
  }
}

// Lets a worker have part in what listens there; it is made for the first that asks.
function share(worker, talk, { key, options, seq }) {
  // One that has been told to leave is not served any more.
  if (worker.exitedAfterDisconnect) return;
  let server = servers.get(key);
  if (server === undefined) {
    server = new Shared(key, options);
    if (server.fault === undefined) servers.set(key, server);
  }
  if (server.fault !== undefined) talk.send({ ack: seq, key, errno: server.fault.errno });
  else server.add(worker, talk, seq);
}

Worker.prototype.disconnect = function disconnect() {
  this.exitedAfterDisconnect = true;
  talks.get(this).send({ act: 'disconnect' });
  leaveServers(this);
  forget(this);
  return this;
};

Worker.prototype.destroy = function destroy(signal = 'SIGTERM') {
  this.process.kill(signal);
};

module.exports = cluster;
