// How a socket gets its connection: from a name to addresses, and from one address to the next.
// Uses binding.nextTick.
'use strict';

const { isIP } = require('internal/net/ip');
const { adopt, nextBuffer, settings, kConnects } = require('internal/net/socket');
const { PendingHandle, failure } = require('internal/net/handle');
const { normalizeArgs, kNormalized, absolute } = require('internal/net/arguments');
const hooked = require('internal/hooked');
const { atLevel, levelIn } = require('internal/levels');
const observed = require('internal/observed');

const ETIMEDOUT = -110;
const ECANCELED = -125;
const EALREADY = -114;
const EISCONN = -106;

// Whether several addresses of a name are tried, and for how long each.
const { isOff, valueOf } = require('internal/flags');

const timeout = Number(valueOf('--network-family-autoselection-attempt-timeout') ?? 250);
const defaults = {
  autoSelectFamily: !isOff('--network-family-autoselection'),
  attemptTimeout: timeout >= 10 ? timeout : 10,
};

/// `socket.connect(...)`.
function connect(socket, args) {
  const normalized = Array.isArray(args[0]) && args[0][kNormalized] ? args[0] : normalizeArgs(args);
  const [options, callback] = normalized;
  const level = levelIn(options);
  if (options.port === undefined && options.path == null) {
    const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');
    throw new ERR_MISSING_ARGS(['options', 'port', 'path']);
  }
  // Whoever ended before may write again.
  const { Socket } = require('internal/net/socket');
  if (socket.write !== Socket.prototype.write) socket.write = Socket.prototype.write;
  if (socket.destroyed) {
    socket._handle = null;
    socket._peername = undefined;
    socket._sockname = undefined;
    require('internal/streams/destroy').undestroy.call(socket);
  }
  if (socket._handle === null) {
    socket._handle = new PendingHandle(Boolean(options.path)).made();
    socket[kConnects]?.();
    nextBuffer(socket);
  }
  if (callback !== null) socket.once('connect', callback);
  if (socket._parent?.connecting) return socket;
  socket._unrefTimer();
  socket.connecting = true;
  if (options.path) {
    require('internal/validators').validateString(options.path, 'options.path');
    atLevel(level, () => attempt(socket, { path: absolute(options.path) }, options.path, undefined, undefined));
  } else {
    const { _handle: handle } = socket;
    atLevel(level, () => hooked.madeBy(handle.resource ?? handle, () => lookupAndConnect(socket, options)));
  }
  return socket;
}

function lookupAndConnect(socket, options) {
  const validators = require('internal/validators');
  const { codes } = require('internal/errors');
  const { localAddress, localPort } = options;
  const host = options.host || 'localhost';
  let { port, autoSelectFamily, autoSelectFamilyAttemptTimeout: attemptTimeout } = options;
  if (localAddress && !isIP(localAddress)) throw new codes.ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validators.validateNumber(localPort, 'options.localPort');
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    }
    validators.validatePort(port);
  }
  port |= 0;
  if (autoSelectFamily != null) validators.validateBoolean(autoSelectFamily, 'options.autoSelectFamily');
  else autoSelectFamily = defaults.autoSelectFamily;
  if (attemptTimeout != null) {
    validators.validateInt32(attemptTimeout, 'options.autoSelectFamilyAttemptTimeout', 1);
    if (attemptTimeout < 10) attemptTimeout = 10;
  } else {
    attemptTimeout = defaults.attemptTimeout;
  }
  const from = { port, localAddress, localPort };
  const family = isIP(host);
  if (family !== 0) {
    binding.nextTick(() => {
      if (socket.connecting) connectTo(socket, host, family, from);
    });
    return;
  }
  if (options.lookup != null) validators.validateFunction(options.lookup, 'options.lookup');
  const dns = require('dns');
  const wanted = { family: options.family, hints: options.hints || 0 };
  if (wanted.family !== 4 && wanted.family !== 6 && wanted.hints === 0) wanted.hints = dns.ADDRCONFIG;
  socket._host = host;
  const lookup = options.lookup || dns.lookup;
  if (autoSelectFamily && wanted.family !== 4 && wanted.family !== 6 && !localAddress) {
    lookup(host, { ...wanted, all: true }, (error, addresses) => {
      foundAll(socket, options, from, attemptTimeout, error, addresses, host);
    });
    return;
  }
  lookup(host, wanted, function emitLookup(error, ip, family) {
    socket.emit('lookup', error, ip, family, host);
    if (!socket.connecting) return;
    error ||= unusable(ip, family, options);
    if (error) {
      binding.nextTick(() => socket.destroy(error));
    } else {
      socket._unrefTimer();
      connectTo(socket, ip, family, from);
    }
  });
}

/// What is wrong with an address that a look-up gave, if anything is.
function unusable(ip, family, { host, port }) {
  const { codes } = require('internal/errors');
  if (!isIP(ip)) return new codes.ERR_INVALID_IP_ADDRESS(ip);
  if (family !== 4 && family !== 6) return new codes.ERR_INVALID_ADDRESS_FAMILY(family, host, port);
  return undefined;
}

/// Takes the addresses of a name, and tries them, families by turns.
function foundAll(socket, options, from, attemptTimeout, error, addresses, host) {
  if (!socket.connecting) return;
  if (error) {
    socket.emit('lookup', error, undefined, undefined, host);
    binding.nextTick(() => socket.destroy(error));
    return;
  }
  const first = [];
  const second = [];
  let preferred;
  for (const { address, family } of addresses) {
    socket.emit('lookup', null, address, family, host);
    if (!socket.connecting) return;
    if (unusable(address, family, options) !== undefined) continue;
    preferred ??= family;
    const group = family === preferred ? first : second;
    if (!group.some((known) => known.address === address)) group.push({ address, family });
  }
  if (first.length === 0) {
    const problem = unusable(addresses[0].address, addresses[0].family, options);
    binding.nextTick(() => socket.destroy(problem));
    return;
  }
  const order = [];
  for (let at = 0; at < Math.max(first.length, second.length); at++) {
    if (at < first.length) order.push(first[at]);
    if (at < second.length) order.push(second[at]);
  }
  socket._unrefTimer();
  if (order.length === 1) {
    connectTo(socket, order[0].address, order[0].family, from);
    return;
  }
  socket.autoSelectFamilyAttemptedAddresses = [];
  connectNext({ socket, addresses: order, current: 0, from, attemptTimeout, timer: undefined, errors: [] }, false);
}

function request(address, family, { port, localAddress, localPort }) {
  const asked = { address, port };
  if (localAddress || localPort) {
    asked.localAddress = localAddress || (family === 6 ? '::' : '0.0.0.0');
    asked.localPort = localPort || 0;
  }
  return asked;
}

function connectTo(socket, address, family, from) {
  socket.emit('connectionAttempt', address, from.port, family);
  if (socket.connecting) attempt(socket, request(address, family, from), address, from.port, family);
}

function attempt(socket, asked, address, port, family) {
  const busy = socket._handle.operation !== undefined ? EALREADY : EISCONN;
  if (busy === EALREADY || !(socket._handle instanceof PendingHandle)) {
    const { address: near, port: nearPort } = socket._getsockname();
    const details = near === undefined ? undefined : `${near}:${nearPort}`;
    socket.destroy(failure({ code: '', errno: busy, syscall: 'connect' }, address, port, details));
    return;
  }
  const start = observed.begin('net');
  socket._handle.connect(asked, (fault, connection) => {
    if (fault === null) {
      connected(socket, connection, asked, start);
      return;
    }
    const error = connectError(fault, asked, address, port);
    socket.connecting = false;
    if (fault.syscall !== 'bind') socket.emit('connectionAttemptFailed', address, port, family, error);
    socket.destroy(error);
  });
}

function connectError(fault, asked, address, port) {
  if (fault.syscall === 'bind') return failure(fault, asked.localAddress, asked.localPort);
  const { localAddress, localPort } = asked;
  const details = localAddress && localPort ? `${localAddress}:${localPort}` : undefined;
  // Where it was refused at once, the world says from where it would have gone.
  const error = failure(fault, address, port, details ?? fault.path);
  if (details !== undefined) Object.assign(error, { localAddress, localPort });
  return error;
}

function connected(socket, connection, { address: host, port }, start) {
  socket.connecting = false;
  if (host !== undefined) observed.finish('net', 'connect', start, () => ({ host, port }));
  adopt(socket, connection);
  socket._sockname = null;
  socket._unrefTimer();
  settings(socket);
  socket.emit('connect');
  socket.emit('ready');
  // Bytes are waited for even if nobody asks: the end should be noticed.
  if (!socket.isPaused()) socket.read(0);
}

/// Tries the next of several addresses.
function connectNext(context, canceled) {
  const { socket, addresses, from } = context;
  require('timers').clearTimeout(context.timer);
  if (socket.destroyed) return;
  if (canceled || context.current === addresses.length) {
    socket.destroy(allFailed(context.errors));
    return;
  }
  const current = context.current++;
  if (current > 0) {
    const handle = new PendingHandle().made();
    handle.referenced = socket._handle.referenced;
    socket._handle.close();
    socket._handle = handle;
  }
  const { address, family } = addresses[current];
  const { port } = from;
  socket.autoSelectFamilyAttemptedAddresses.push(`${address}:${port}`);
  socket.emit('connectionAttempt', address, port, family);
  if (!socket.connecting) return;
  const asked = request(address, family, from);
  const start = observed.begin('net');
  socket._handle.connect(asked, (fault, connection) => {
    require('timers').clearTimeout(context.timer);
    if (fault === null) {
      connected(socket, connection, asked, start);
      return;
    }
    const error = connectError(fault, asked, address, port);
    context.errors.push(error);
    socket.emit('connectionAttemptFailed', address, port, family, error);
    if (socket.connecting) connectNext(context, fault.errno === ECANCELED);
  });
  if (current < addresses.length - 1) {
    context.timer = require('internal/timers').guards.setTimeout(attemptTimedOut, context.attemptTimeout, context, asked, family);
  }
}

function attemptTimedOut(context, asked, family) {
  const { socket } = context;
  const { address, port } = asked;
  socket.emit('connectionAttemptTimeout', address, port, family);
  context.errors.push(connectError({ code: '', errno: ETIMEDOUT, syscall: 'connect' }, asked, address, port));
  socket._handle?.close();
  if (socket.connecting) connectNext(context, false);
}

function allFailed(errors) {
  if (errors.length === 0) {
    const { codes: { ERR_SOCKET_CONNECTION_TIMEOUT } } = require('internal/errors');
    return new ERR_SOCKET_CONNECTION_TIMEOUT();
  }
  const error = new AggregateError(errors);
  error.code = errors[0].code;
  return error;
}

module.exports = { connect, defaults };
