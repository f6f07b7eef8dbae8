// Server: listens for connections that speak TLS.
'use strict';

const net = require('net');
const EventEmitter = require('events');
const { codes, connResetException } = require('internal/errors');
const { kPausesRaw } = require('internal/net/server');
const { TLSSocket, verifyError, kErrorEmitted } = require('internal/tls/socket');

const kHandshakeTimeout = Symbol('handshake-timeout');
const kSNICallback = Symbol('snicallback');
const kTicketKeys = Symbol('ticketKeys');

/// The context that was added for a name: of several, the last.
function byName(servername, callback) {
  const found = this.server._contexts.findLast(([pattern]) => pattern.test(servername));
  callback(null, found?.[1]);
}

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  const isListener = typeof options === 'function';
  const given = (isListener ? null : options) ?? {};
  if (typeof given !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
  const { ALPNCallback, ALPNProtocols, SNICallback, handshakeTimeout, rejectUnauthorized, requestCert } = given;
  if (ALPNCallback && ALPNProtocols) throw new codes.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  Object.assign(this, { _contexts: [], requestCert: requestCert === true, rejectUnauthorized: rejectUnauthorized !== false, ALPNCallback });
  if (ALPNProtocols) require('internal/tls/protocols').convertALPNProtocols(ALPNProtocols, this);
  this.setSecureContext(given);
  this[kHandshakeTimeout] = handshakeTimeout || 120_000;
  this[kSNICallback] = SNICallback;
  require('internal/validators').validateNumber(this[kHandshakeTimeout], 'options.handshakeTimeout');
  if (SNICallback) require('internal/validators').validateFunction(SNICallback, 'options.SNICallback');
  net.Server.call(this, given, onConnection);
  // Nothing is read before it is known how to answer.
  this[kPausesRaw] = true;
  const onSecureConnection = isListener ? options : listener;
  if (onSecureConnection) this.on('secureConnection', onSecureConnection);
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

function onConnection(raw) {
  const hasContexts = this._contexts.length > 0;
  const socket = new TLSSocket(raw, {
    secureContext: this._sharedCreds,
    isServer: true,
    server: this,
    requestCert: this.requestCert,
    rejectUnauthorized: this.rejectUnauthorized,
    handshakeTimeout: this[kHandshakeTimeout],
    ALPNProtocols: this.ALPNProtocols,
    ALPNCallback: this.ALPNCallback,
    SNICallback: this[kSNICallback] || (hasContexts ? byName : undefined),
    pauseOnConnect: this.pauseOnConnect,
  });
  for (const event of Object.keys(listeners)) socket.on(event, listeners[event]);
}

/// What a server does about the events of a socket until the two sides have agreed, or cannot.
const listeners = {
  secure() {
    const error = this._requestCert ? verifyError(this) : undefined;
    if (error) {
      this.authorizationError = error.code;
      if (this._rejectUnauthorized) this.destroy();
    }
    if (this._requestCert && !error) this.authorized = true;
    if (this.destroyed || !this._releaseControl()) return;
    this.secureConnecting = false;
    this.server.emit('secureConnection', this);
  },
  close(hadError) {
    if (!hadError) tellFailure(this, () => connResetException('socket hang up'));
  },
  _tlsError(error) {
    tellFailure(this, () => error);
  },
};

/// Tells that a client could not be talked to, once.
function tellFailure(socket, reason) {
  if (socket._controlReleased || socket[kErrorEmitted]) return;
  socket[kErrorEmitted] = true;
  socket.server.emit('tlsClientError', reason(), socket);
}

const prototype = Server.prototype;

prototype.setSecureContext = function(options) {
  require('internal/validators').validateObject(options, 'options');
  const names = ['pfx', 'key', 'passphrase', 'cert', 'ca', 'ciphers', 'ecdhCurve', 'dhparam', 'crl', 'minVersion',
    'maxVersion', 'secureProtocol', 'sigalgs', 'clientCertEngine', 'privateKeyIdentifier', 'privateKeyEngine'];
  for (const name of names) this[name] = options[name] || undefined;
  if (options.minVersion === undefined) this.minVersion = undefined;
  this.honorCipherOrder = options.honorCipherOrder !== undefined ? Boolean(options.honorCipherOrder) : true;
  this.secureOptions = options.secureOptions;
  for (const name of ['sessionIdContext', 'sessionTimeout', 'ticketKeys']) if (options[name]) this[name] = options[name];
  const { createSecureContext } = require('internal/tls/context');
  const asked = { secureOptions: options.secureOptions, ticketKeys: this.ticketKeys, sessionTimeout: this.sessionTimeout };
  for (const name of names) asked[name] = options[name];
  this._sharedCreds = createSecureContext(asked);
};

prototype.addContext = function(servername, context) {
  if (!servername) throw new codes.ERR_TLS_REQUIRED_SERVER_NAME();
  const pattern = servername.replace(/([.^$+?\-\\[\]{}])/g, '\\$1').replaceAll('*', '[^.]*');
  const { SecureContext, createSecureContext } = require('internal/tls/context');
  const made = context instanceof SecureContext ? context : createSecureContext(context);
  this._contexts.push([new RegExp(`^${pattern}$`), made]);
};

prototype._getServerData = function() {
  return { ticketKeys: this.getTicketKeys().toString('hex') };
};

prototype._setServerData = function(data) {
  this.setTicketKeys(require('buffer').Buffer.from(data.ticketKeys, 'hex'));
};

prototype.getTicketKeys = function() {
  const { Buffer } = require('buffer');
  this[kTicketKeys] ??= this.ticketKeys ? Buffer.from(this.ticketKeys) : require('crypto').randomBytes(48);
  return Buffer.from(this[kTicketKeys]);
};

prototype.setTicketKeys = function(keys) {
  require('internal/validators').validateBuffer(keys);
  if (keys.byteLength !== 48) throw new Error('Session ticket keys must be a 48-byte buffer');
  this[kTicketKeys] = require('buffer').Buffer.from(keys);
};

prototype.setOptions = require('util').deprecate(function(options) {
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  this.setSecureContext(options);
}, 'Server.prototype.setOptions() is deprecated', 'DEP0122');

prototype[EventEmitter.captureRejectionSymbol] = function(error, event, socket) {
  if (event === 'secureConnection') socket.destroy(error);
  else net.Server.prototype[EventEmitter.captureRejectionSymbol].call(this, error, event, socket);
};

module.exports = { Server };
