// Agent: keeps connections of clients for further requests, and limits their number.
//
// The rules AGENT-1 to AGENT-10 in docs/library/http.md say what it does. Each connection has a slot that
// says in which state it is; the public lists follow from it:
//
//   BUSY   in `sockets`, by its name      it has a request, or is on its way to one
//   FREE   in `freeSockets`, by its name  it waits for a request
//   GONE   in neither                     it has ended, or is somebody else's
//
// Listeners are the same functions for all connections, and find the slot by the socket.
'use strict';

const EventEmitter = require('events');
const { validateNumber, validateOneOf, validateString } = require('internal/validators');

const kOnKeylog = Symbol('onkeylog');
// Of a request that waits: the options for its connection.
const kWanted = Symbol('kWanted');
const kSlot = Symbol('kSlot');

const BUSY = 'busy';
const FREE = 'free';
const GONE = 'gone';

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  EventEmitter.call(this);
  // AGENT-1. A path would be taken for that of a local socket.
  const own = { __proto__: null, ...options };
  own.noDelay ??= true;
  own.path = null;
  const { maxTotalSockets } = own;
  const scheduling = own.scheduling || 'lifo';
  validateOneOf(scheduling, 'scheduling', ['fifo', 'lifo']);
  if (maxTotalSockets !== undefined) validateNumber(maxTotalSockets, 'maxTotalSockets', 1);
  Object.assign(this, {
    defaultPort: 80,
    protocol: 'http:',
    options: own,
    requests: { __proto__: null },
    sockets: { __proto__: null },
    freeSockets: { __proto__: null },
    keepAliveMsecs: own.keepAliveMsecs || 1000,
    keepAlive: own.keepAlive || false,
    maxSockets: own.maxSockets || Agent.defaultMaxSockets,
    maxFreeSockets: own.maxFreeSockets || 256,
    scheduling,
    maxTotalSockets: maxTotalSockets ?? Infinity,
    totalSocketCount: 0,
  });
  this.on('free', onFree);
  this.on('newListener', onNewListener);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

const { prototype } = Agent;

function onNewListener(event) {
  if (event !== 'keylog' || this[kOnKeylog] !== undefined) return;
  const agent = this;
  agent[kOnKeylog] = function (line) { agent.emit('keylog', line, this); };
  for (const sockets of Object.values(this.sockets)) for (const socket of sockets) socket.on('keylog', this[kOnKeylog]);
}

prototype.createConnection = function createConnection(...args) {
  return require('net').createConnection(...args);
};

/// AGENT-2: what must be equal for a connection to serve another request.
prototype.getName = function getName(options = {}) {
  const { host, port, localAddress, family, socketPath } = options;
  const parts = [host || 'localhost', port || '', localAddress || ''];
  if (family === 4 || family === 6) parts.push(family);
  if (socketPath) parts.push(socketPath);
  return parts.join(':');
};

// Requests.

prototype.addRequest = function addRequest(request, options, port, localAddress) {
  const wanted = forConnection(this, typeof options === 'string' ? { host: options, port, localAddress } : options, request);
  const name = this.getName(wanted);
  const busy = this.sockets[name] ??= [];
  const socket = takeFree(this, name);
  if (socket !== undefined) {
    this.reuseSocket(socket, request);
    busy.push(socket);
    if (socket[kSlot] !== undefined) socket[kSlot].state = BUSY;
    assign(this, request, socket);
  } else if (busy.length < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    connect(this, request, wanted, (created) => assign(this, request, created));
  } else {
    // AGENT-4
    request[kWanted] = wanted;
    (this.requests[name] ??= []).push(request);
  }
};

/// Makes a connection for a request and hands it to `use`; the request is told if there is none.
function connect(agent, request, wanted, use) {
  agent.createSocket(request, wanted, (error, socket) => {
    if (error) {
      drop(agent.requests, agent.getName(wanted), request);
      request.onSocket(null, error);
    } else {
      use(socket);
    }
  });
}

/// AGENT-3: one that waits, and is still there.
function takeFree(agent, name) {
  const free = agent.freeSockets[name];
  if (free === undefined) return undefined;
  let socket;
  do socket = agent.scheduling === 'fifo' ? free.shift() : free.pop();
  while (socket?.destroyed);
  if (free.length === 0) delete agent.freeSockets[name];
  return socket;
}

/// Gives a connection to a request; a timeout of the agent's was set when it was made.
function assign(agent, request, socket) {
  request.onSocket(socket);
  const { timeout } = request;
  if (timeout !== undefined && timeout !== (agent.options.timeout || 0)) socket.setTimeout(timeout);
}

/// The first request that waits for a connection of that name.
function takeWaiting(agent, name) {
  const waiting = agent.requests[name];
  const request = waiting?.shift();
  if (waiting?.length === 0) delete agent.requests[name];
  return request;
}

// Connections.

/// What a connection for a request is made of: the agent's options count more (AGENT-8).
function forConnection(agent, options, request) {
  const all = { __proto__: null, ...options, ...agent.options };
  if (all.socketPath) all.path = all.socketPath;
  if (!all.servername && all.servername !== '') all.servername = serverName(all.host, request);
  return all;
}

/// What a server with several names is to be called: as the request calls it. Addresses are no names.
function serverName(host, request) {
  let name = host;
  const header = request.getHeader('host');
  if (header) {
    validateString(header, 'options.headers.host');
    if (header.startsWith('[')) {
      name = /^\[(.*?)\]/.exec(header)?.[1] ?? header;
    } else {
      const end = header.indexOf(':');
      name = end === -1 ? header : header.slice(0, end);
    }
  }
  return require('net').isIP(name) ? '' : name;
}

prototype.createSocket = function createSocket(request, options, callback) {
  const all = forConnection(this, options, request);
  const name = this.getName(all);
  all._agentKey = name;
  all.encoding = null;
  if (this.keepAlive) Object.assign(all, { keepAlive: this.keepAlive, keepAliveInitialDelay: this.keepAliveMsecs });
  // Whoever makes it may tell so by a result, by calling back, or both.
  let tell = (error, made) => {
    tell = undefined;
    if (!error) enter(this, made, name, all);
    callback(error, made);
  };
  const made = this.createConnection(all, (error, later) => tell?.(error, later));
  if (made) tell?.(null, made);
};

/// A new connection: it is busy from its beginning.
function enter(agent, socket, name, options) {
  socket[kSlot] = { agent, name, options, state: BUSY };
  (agent.sockets[name] ??= []).push(socket);
  agent.totalSocketCount++;
  for (const event of Object.keys(listeners)) socket.on(event, listeners[event]);
  if (agent[kOnKeylog] !== undefined) socket.on('keylog', agent[kOnKeylog]);
}

const listeners = {
  free() {
    const { agent, options } = this[kSlot];
    agent.emit('free', this, options);
  },
  close() {
    leave(this);
  },
  timeout() {
    if (this[kSlot].state === FREE) this.destroy();
  },
  // Somebody else takes it over (AGENT-6).
  agentRemove() {
    for (const event of Object.keys(listeners)) this.removeListener(event, listeners[event]);
    leave(this);
  },
};

function leave(socket) {
  const slot = socket[kSlot];
  slot.state = GONE;
  slot.agent.totalSocketCount--;
  slot.agent.removeSocket(socket, slot.options);
}

/// Takes something out of its list. Empty lists go.
function drop(lists, name, one) {
  const at = lists[name]?.indexOf(one) ?? -1;
  if (at !== -1) lists[name].splice(at, 1);
  if (lists[name]?.length === 0) delete lists[name];
}

/// A socket is not the agent's any more: there may be room for another one (AGENT-7).
prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  drop(this.sockets, name, socket);
  drop(this.freeSockets, name, socket);
  // Who waits elsewhere gets it unless the connections there will see to them.
  const next = this.requests[name] ? name : Object.keys(this.requests).find((other) => !this.sockets[other]?.length);
  if (next === undefined) return;
  const [request] = this.requests[next];
  connect(this, request, request[kWanted], (created) => created.emit('free'));
};

/// A connection has done its work: it goes to the next request, is kept, or ends (AGENT-5).
function onFree(socket, options) {
  const name = this.getName(options);
  const request = socket.writable ? takeWaiting(this, name) : undefined;
  if (request !== undefined) assign(this, request, socket);
  else if (socket.writable && keeps(this, name, socket)) free(this, name, socket);
  else socket.destroy();
}

function keeps(agent, name, socket) {
  if (!agent.keepAlive || !socket._httpMessage?.shouldKeepAlive) return false;
  const count = agent.freeSockets[name]?.length ?? 0;
  if (count >= agent.maxFreeSockets || count + (agent.sockets[name]?.length ?? 0) > agent.maxSockets) return false;
  // Requests of other names wait for room.
  const isFull = agent.totalSocketCount >= agent.maxTotalSockets;
  if (isFull && (agent.totalSocketCount > agent.maxTotalSockets || Object.keys(agent.requests).length > 0)) return false;
  return agent.keepSocketAlive(socket);
}

function free(agent, name, socket) {
  drop(agent.sockets, name, socket);
  (agent.freeSockets[name] ??= []).push(socket);
  if (socket[kSlot] !== undefined) socket[kSlot].state = FREE;
  socket._httpMessage = null;
  socket.once('error', onFreeError);
}

/// One that nobody uses broke.
function onFreeError() {
  this.destroy();
  this.emit('agentRemove');
}

// So much earlier than the other side, in milliseconds, while a request may be on its way.
const EARLIER = 1000;

/// How long the other side lets the connection wait for a request.
function patience(response) {
  const hint = response?.headers['keep-alive'];
  const seconds = hint === undefined ? null : /^timeout=(\d+)/.exec(hint);
  return seconds === null ? Infinity : seconds[1] * 1000 - EARLIER;
}

/// Prepares a socket for waiting; whether it may (AGENT-9).
prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  const most = patience(socket._httpMessage?.res);
  const own = this.options.timeout || 0;
  const timeout = most > 0 ? Math.min(own, most) : own;
  if (timeout !== socket.timeout) socket.setTimeout(timeout);
  return most > 0;
};

prototype.reuseSocket = function reuseSocket(socket, request) {
  socket.removeListener('error', onFreeError);
  request.reusedSocket = true;
  socket.ref();
};

prototype.destroy = function destroy() {
  for (const lists of [this.freeSockets, this.sockets]) {
    for (const socket of Object.values(lists).flat()) socket.destroy();
  }
};

let globalAgent;

module.exports = { Agent };
Object.defineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return (globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 })); },
  set(value) { globalAgent = value; },
});
