// Agent: keeps connections of clients for further requests, and limits their number.
'use strict';

const EventEmitter = require('events');
const { validateNumber, validateOneOf, validateString } = require('internal/validators');

const kOnKeylog = Symbol('onkeylog');
const kRequestOptions = Symbol('requestOptions');

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  EventEmitter.call(this);
  this.defaultPort = 80;
  this.protocol = 'http:';
  this.options = { __proto__: null, ...options };
  this.options.noDelay ??= true;
  // It would be taken for that of a local socket.
  this.options.path = null;
  // By the name of the other side: requests that wait, sockets in use, sockets without a use.
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || 'lifo';
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (this.maxTotalSockets !== undefined) validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  else this.maxTotalSockets = Infinity;
  this.on('free', onFree);
  // Sockets that are there already tell of their keys as soon as somebody wants to know.
  this.on('newListener', onNewListener);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

const { prototype } = Agent;

function onNewListener(event) {
  if (event !== 'keylog' || this[kOnKeylog] !== undefined) return;
  this[kOnKeylog] = (keylog) => this.emit('keylog', keylog, this);
  for (const sockets of Object.values(this.sockets)) for (const socket of sockets) socket.on('keylog', this[kOnKeylog]);
}

/// A socket has done its work: it goes to the next request, is kept, or ends.
function onFree(socket, options) {
  const name = this.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = this.requests[name];
  if (waiting?.length > 0) {
    const request = waiting.shift();
    if (waiting.length === 0) delete this.requests[name];
    assign(this, request, socket);
    return;
  }
  const request = socket._httpMessage;
  if (!request?.shouldKeepAlive || !this.keepAlive) {
    socket.destroy();
    return;
  }
  const free = this.freeSockets[name] ?? [];
  const count = free.length + (this.sockets[name]?.length ?? 0);
  if (this.totalSocketCount > this.maxTotalSockets || count > this.maxSockets || free.length >= this.maxFreeSockets ||
      !this.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  this.freeSockets[name] = free;
  socket._httpMessage = null;
  this.removeSocket(socket, options);
  socket.once('error', onFreeError);
  free.push(socket);
}

/// A socket that nobody uses broke.
function onFreeError() {
  this.destroy();
  this.emit('agentRemove');
}

prototype.createConnection = function createConnection(...args) {
  return require('net').createConnection(...args);
};

prototype.getName = function getName(options = {}) {
  let name = options.host || 'localhost';
  name += ':';
  if (options.port) name += options.port;
  name += ':';
  if (options.localAddress) name += options.localAddress;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

/// What a server with several names is to be called.
function serverName(options, request) {
  let name = options.host;
  const host = request.getHeader('host');
  if (host) {
    validateString(host, 'options.headers.host');
    // An address in brackets has colons of its own.
    if (host[0] === '[') {
      const end = host.indexOf(']');
      name = end === -1 ? host : host.slice(1, end);
    } else {
      name = host.split(':', 1)[0];
    }
  }
  return require('net').isIP(name) ? '' : name;
}

function withName(agent, options, request) {
  const whole = { __proto__: null, ...options, ...agent.options };
  if (whole.socketPath) whole.path = whole.socketPath;
  if (!whole.servername && whole.servername !== '') whole.servername = serverName(whole, request);
  return whole;
}

prototype.addRequest = function addRequest(request, options, port, localAddress) {
  if (typeof options === 'string') options = { __proto__: null, host: options, port, localAddress };
  options = withName(this, options, request);
  const name = this.getName(options);
  const sockets = this.sockets[name] ??= [];
  const free = this.freeSockets[name];
  let socket;
  if (free) {
    while (free.length > 0 && free[0].destroyed) free.shift();
    socket = this.scheduling === 'fifo' ? free.shift() : free.pop();
    if (free.length === 0) delete this.freeSockets[name];
  }
  const count = (free ? free.length : 0) + sockets.length;
  if (socket) {
    this.reuseSocket(socket, request);
    assign(this, request, socket);
    this.sockets[name].push(socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(request, options, (error, created) => {
      if (error) request.onSocket(created, error);
      else assign(this, request, created);
    });
  } else {
    request[kRequestOptions] = options;
    (this.requests[name] ??= []).push(request);
  }
};

function assign(agent, request, socket) {
  request.onSocket(socket);
  const usual = agent.options.timeout || 0;
  if (request.timeout === undefined || request.timeout === usual) return;
  socket.setTimeout(request.timeout);
}

prototype.createSocket = function createSocket(request, options, callback) {
  options = withName(this, options, request);
  const name = this.getName(options);
  options._agentKey = name;
  options.encoding = null;
  let created = false;
  const onCreate = (error, socket) => {
    if (created) return;
    created = true;
    if (error) {
      callback(error);
      return;
    }
    (this.sockets[name] ??= []).push(socket);
    this.totalSocketCount++;
    watch(this, socket, options);
    callback(null, socket);
  };
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  const socket = this.createConnection(options, onCreate);
  if (socket && !created) onCreate(null, socket);
};

/// Learns from a socket when it becomes free or goes.
function watch(agent, socket, options) {
  const onSocketFree = () => agent.emit('free', socket, options);
  const onClose = () => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
  };
  const onTimeout = () => {
    for (const free of Object.values(agent.freeSockets)) {
      if (free.includes(socket)) {
        socket.destroy();
        return;
      }
    }
  };
  // Somebody else takes it over.
  const onRemove = () => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
    socket.removeListener('close', onClose);
    socket.removeListener('free', onSocketFree);
    socket.removeListener('timeout', onTimeout);
    socket.removeListener('agentRemove', onRemove);
  };
  socket.on('free', onSocketFree);
  socket.on('close', onClose);
  socket.on('timeout', onTimeout);
  socket.on('agentRemove', onRemove);
  if (agent[kOnKeylog]) socket.on('keylog', agent[kOnKeylog]);
}

prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  const lists = socket.writable ? [this.sockets] : [this.sockets, this.freeSockets];
  for (const list of lists) {
    const at = list[name]?.indexOf(socket) ?? -1;
    if (at === -1) continue;
    list[name].splice(at, 1);
    if (list[name].length === 0) delete list[name];
  }
  // There is room for one that waits, here or elsewhere.
  let request = this.requests[name]?.[0];
  if (request === undefined) {
    for (const other of Object.keys(this.requests)) {
      if (this.sockets[other]?.length) break;
      request = this.requests[other][0];
      options = request[kRequestOptions];
      break;
    }
  }
  if (request && options) {
    request[kRequestOptions] = undefined;
    this.createSocket(request, options, (error, created) => {
      if (error) request.onSocket(null, error);
      else created.emit('free');
    });
  }
};

/// Prepares a socket for waiting; whether it may.
prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  let keeps = true;
  const hint = socket._httpMessage?.res?.headers['keep-alive'];
  if (hint) {
    const seconds = /^timeout=(\d+)/.exec(hint)?.[1];
    if (seconds !== undefined) {
      // The other side goes first otherwise, while a request may be on its way.
      const most = Number.parseInt(seconds, 10) * 1000;
      if (most === 0) keeps = false;
      else if (most < timeout || timeout === 0) timeout = most;
    }
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return keeps;
};

prototype.reuseSocket = function reuseSocket(socket, request) {
  socket.removeListener('error', onFreeError);
  request.reusedSocket = true;
  socket.ref();
};

prototype.destroy = function destroy() {
  for (const list of [this.freeSockets, this.sockets]) {
    for (const sockets of Object.values(list)) for (const socket of [...sockets]) socket.destroy();
  }
};

for (const name of Object.keys(prototype)) Object.defineProperty(prototype, name, { enumerable: true });

let globalAgent;

module.exports = { Agent };
Object.defineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return (globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 })); },
  set(value) { globalAgent = value; },
});
