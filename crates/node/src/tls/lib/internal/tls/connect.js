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
  if (!options.socket) {
    if (options.timeout) socket.setTimeout(options.timeout);
    socket.connect(options, socket._start);
  }
  socket._releaseControl();
  if (options.session) socket.setSession(options.session);
  if (options.servername) {
    if (!warnedOfAddress && require('internal/net/ip').isIP(options.servername)) {
      warnedOfAddress = true;
      binding.emitWarning('Setting the TLS ServerName to an IP address is not permitted by RFC 6066. ' +
        'This will be ignored in a future version.', 'DeprecationWarning', 'DEP0123');
    }
    socket.setServername(options.servername);
  }
  if (options.socket) socket._start();
  socket.on('secure', onConnectSecure);
  socket.prependListener('end', onConnectEnd);
  return socket;
}

function onConnectSecure() {
  const options = this[kConnectOptions];
  let error = verifyError(this);
  if (!error && !this.isSessionReused()) {
    const host = options.servername || options.host || options.socket?._host || 'localhost';
    error = options.checkServerIdentity(host, this.getPeerCertificate(true));
  }
  if (error) {
    this.authorized = false;
    this.authorizationError = error.code || error.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(error);
      return;
    }
  } else {
    this.authorized = true;
  }
  this.secureConnecting = false;
  believe(this);
  this.emit('secureConnect');
  this.removeListener('end', onConnectEnd);
}

/// The server went away before the two had agreed.
function onConnectEnd() {
  if (this._hadError) return;
  const options = this[kConnectOptions];
  this._hadError = true;
  this[kErrorEmitted] = true;
  const error = connResetException('Client network socket disconnected before secure TLS connection was established');
  error.path = options.path;
  error.host = options.host;
  error.port = options.port;
  error.localAddress = options.localAddress;
  this.destroy(error);
}

module.exports = { connect };
