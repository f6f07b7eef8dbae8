// The first process of a cluster: it starts the workers, and gives them what they listen at.
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const process = require('internal/process');
const { Worker, Talk, SCHED_NONE, SCHED_RR } = require('internal/cluster/worker');
const { Shared, SharedDatagrams } = require('internal/cluster/shared');

const cluster = new EventEmitter();
const talks = new WeakMap();
// What is shared, by where it listens.
const servers = new Map();
// Who waits for the last worker to leave.
let waiting = [];
let lastId = 0;

const policies = { none: SCHED_NONE, rr: SCHED_RR };

Object.assign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE,
  SCHED_RR,
  // Either way the workers take turns: nobody but the first process takes connections.
  schedulingPolicy: policies[process.env.NODE_CLUSTER_SCHED_POLICY] ?? SCHED_RR,
  setupPrimary,
  setupMaster: setupPrimary,
  fork,
  disconnect,
});

/// Rule CLUSTER-1.
function setupPrimary(options) {
  const { argv: [, exec, ...args], execArgv } = process;
  const settings = { args, exec, execArgv, silent: false, ...cluster.settings, ...options };
  cluster.settings = settings;
  binding.nextTick(() => cluster.emit('setup', settings));
}

function startProcess(id, env) {
  const { exec, args, cwd, serialization, silent, windowsHide, execArgv, stdio, gid, uid } = cluster.settings;
  const inherited = require('internal/process/env').inherited();
  return require('child_process').fork(exec, args, {
    cwd, serialization, silent, windowsHide, execArgv, stdio, gid, uid, env: { ...inherited, ...env, NODE_UNIQUE_ID: `${id}` },
  });
}

/// What happens to a worker is told by it, and by the cluster.
function tell(worker, event, ...details) {
  worker.emit(event, ...details);
  cluster.emit(event, worker, ...details);
}

/// Rule CLUSTER-5: one of the two ends of a worker.
function ended(worker, state, event, ...details) {
  // Until then nobody knows whether it was meant to.
  worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
  worker.state = state;
  tell(worker, event, ...details);
}

function watch(worker) {
  const child = worker.process;
  talks.set(worker, new Talk(child, (message) => acts[message.act]?.(worker, message)));
  worker.on('message', (message, handle) => cluster.emit('message', worker, message, handle));
  child.once('exit', (...how) => {
    if (!child.connected) forget(worker);
    ended(worker, 'dead', 'exit', ...how);
  });
  child.once('disconnect', () => {
    leaveServers(worker);
    if (worker.isDead()) forget(worker);
    ended(worker, 'disconnected', 'disconnect');
  });
}

/// Rule CLUSTER-2.
function fork(env) {
  cluster.setupPrimary();
  const id = ++lastId;
  const worker = new Worker({ id, process: startProcess(id, env) });
  watch(worker);
  cluster.workers[id] = worker;
  binding.nextTick(() => cluster.emit('fork', worker));
  return worker;
}

/// Rule CLUSTER-8. Workers that are told to leave are forgotten at once: whoever waits does so for what comes of that.
function disconnect(callback) {
  const workers = Object.values(cluster.workers);
  for (const worker of workers.filter((one) => one.isConnected())) worker.disconnect();
  if (typeof callback === 'function') waiting.push(callback);
  if (workers.length === 0) binding.nextTick(allLeft);
}

function allLeft() {
  const callbacks = waiting;
  waiting = [];
  for (const callback of callbacks) callback();
}

function leaveServers(worker) {
  for (const [key, server] of servers) {
    if (server.remove(worker)) servers.delete(key);
  }
}

function forget(worker) {
  leaveServers(worker);
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) allLeft();
}

// What workers say, by their word for it.
const acts = {
  __proto__: null,
  online(worker) {
    worker.state = 'online';
    tell(worker, 'online');
  },
  listening(worker, { addressType, address, port, fd }) {
    worker.state = 'listening';
    tell(worker, 'listening', { addressType, address, port, fd });
  },
  exitedAfterDisconnect(worker, { seq }) {
    worker.exitedAfterDisconnect = true;
    talks.get(worker).send({ ack: seq });
  },
  queryServer: (worker, message) => share(worker, talks.get(worker), message),
  close(worker, { key }) {
    if (servers.get(key)?.remove(worker)) servers.delete(key);
  },
};

// Lets a worker have part in what listens there; it is made for the first that asks.
function share(worker, talk, { key, options, seq }) {
  // One that has been told to leave is not served any more.
  if (worker.exitedAfterDisconnect) return;
  let server = servers.get(key);
  if (server === undefined) {
    server = options.type === undefined ? new Shared(key, options) : new SharedDatagrams(key, options);
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
