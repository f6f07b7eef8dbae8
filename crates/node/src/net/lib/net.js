// Connections: TCP and local sockets.
// Uses binding.emitWarning.
'use strict';

const { Socket } = require('internal/net/socket');
const { Server } = require('internal/net/server');
const { tell } = require('internal/diagnostics');
const { normalizeArgs } = require('internal/net/arguments');
const { isIP, isIPv4, isIPv6 } = require('internal/net/ip');
const { defaults } = require('internal/net/connect');

function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new Socket(options);
  tell('net.client.socket', { socket });
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

function createServer(options, connectionListener) {
  return new Server(options, connectionListener);
}

// Warns once; what it did was for another system.
let warnOfAccepts = () => {
  warnOfAccepts = () => {};
  binding.emitWarning('net._setSimultaneousAccepts() is deprecated and will be removed.', 'DeprecationWarning', 'DEP0121');
};

module.exports = {
  _normalizeArgs: normalizeArgs,
  // Windows has use for it.
  _setSimultaneousAccepts() { warnOfAccepts(); },
  // What few programs need is read when it is asked for.
  get BlockList() {
    return require('internal/net/block_list').BlockList;
  },
  get SocketAddress() {
    return require('internal/net/socket_address').SocketAddress;
  },
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily() {
    return defaults.autoSelectFamily;
  },
  setDefaultAutoSelectFamily(value) {
    require('internal/validators').validateBoolean(value, 'value');
    defaults.autoSelectFamily = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout() {
    return defaults.attemptTimeout;
  },
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    require('internal/validators').validateInt32(value, 'value', 1);
    defaults.attemptTimeout = value < 10 ? 10 : value;
  },
};
