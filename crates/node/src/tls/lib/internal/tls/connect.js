// How a client connects.
// Uses binding.emitWarning.
'use strict';

const { TLSSocket, believe, verifyError, kErrorEmitted, connResetException } = require('internal/tls/socket');

const kConnectOptions = Symbol('connect-options');

let warnedOfAddress = false;
let warnedOfTrust = false;

/// The forms ([options], [cb]), (port, [host], [options], [cb]) and (path, [options], [cb]).
function normalizeConnectArgs(args) {
  const [options, callback] = require('internal/net/arguments').normalizeArgs(args);
  for (const more of [args[1], args[2]]) {
    if (more !== null && typeof more === 'object') {
      Object.assign(options, more);
      break;
    }
  }
  return [options, callback];
}

function connect(...args) {
  let [options, callback] = normalizeConnectArgs(args);
  const { createSecureContext, defaults } = require('internal/tls/context');
  const { env } = require('internal/process');
  const lenient = env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  if (lenient && !warnedOfTrust) {
    warnedOfTrust = true;
    binding.emitWarning("Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and " +
      'HTTPS requests insecure by disabling certificate verification.');
  }
  options = {
    rejectUnauthorized: !lenient,
    ciphers: defaults.ciphers,
    checkServerIdentity: require('tls').checkServerIdentity,
    minDHSize: 1024,
    ...options,
  };
  if (!options.keepAlive) options.singleUse = true;
  const validators = require('internal/validators');
  validators.validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  validators.validateNumber(options.minDHSize, 'options.minDHSize', 1);
  const context = options.secureContext || createSecureContext(options);
  const socket = new TLSSocket(options.socket, {
    allowHalfOpen: options.socket ? options.socket.allowHalfOpen : Boolean(options.allowHalfOpen),
    secureContext: context,
    isServer: false,
    requestCert: true,
    rejectUnauthorized: options.rejectUnauthorized !== false,
    session: options.session,
    ALPNProtocols: options.ALPNProtocols,
    highWaterMark: options.highWaterMark,
    onread: options.onread,
    signal: options.signal,
  });
  socket[kConnectOptions] = options;
  if (callback) socket.once('secureConnect', callback);
  const isOver = Boolean(options.socket);
  if (!isOver) reach(socket, options);
  introduce(socket, options);
  if (isOver) socket._start();
  return socket;
}

/// Connects by itself: there is no stream beneath yet.
function reach(socket, options) {
  socket.connect(options, socket._start);
  if (options.timeout) socket.setTimeout(options.timeout);
}

/// From here on errors are the program's. Says who is called, and what was agreed on before.
function introduce(socket, { servername, session }) {
  socket._releaseControl();
  socket.on('secure', onConnectSecure);
  socket.prependListener('end', onConnectEnd);
  if (session) socket.setSession(session);
  if (!servername) return;
  warnOfAddress(servername);
  socket.setServername(servername);
}

function warnOfAddress(servername) {
  if (warnedOfAddress || !require('internal/net/ip').isIP(servername)) return;
  warnedOfAddress = true;
  binding.emitWarning('Setting the TLS ServerName to an IP address is not permitted by RFC 6066. ' +
    'This will be ignored in a future version.', 'DeprecationWarning', 'DEP0123');
}

/// Why the server is not the one that was called; undefined if it is.
function doubt(socket, { checkServerIdentity, host, servername, socket: beneath }) {
  const error = verifyError(socket);
  // Whom we go on talking to was looked at before.
  if (error || socket.isSessionReused()) return error;
  return checkServerIdentity(servername || host || beneath?._host || 'localhost', socket.getPeerCertificate(true));
}

function onConnectSecure() {
  const options = this[kConnectOptions];
  const error = doubt(this, options);
  this.authorized = !error;
  if (error) {
    this.authorizationError = error.code || error.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(error);
      return;
    }
  }
  this.secureConnecting = false;
  believe(this);
  this.emit('secureConnect');
  this.removeListener('end', onConnectEnd);
}

/// The server went away before the two had agreed.
function onConnectEnd() {
  if (this._hadError) return;
  this._hadError = true;
  this[kErrorEmitted] = true;
  const { host, localAddress, path, port } = this[kConnectOptions];
  const error = connResetException('Client network socket disconnected before secure TLS connection was established');
  this.destroy(Object.assign(error, { path, host, port, localAddress }));
}

module.exports = { connect };
