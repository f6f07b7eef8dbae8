// Server: listens for connections that speak TLS.
'use strict';

const net = require('net');
const EventEmitter = require('events');
const { codes, connResetException } = require('internal/errors');
const { TLSSocket, verifyError, kErrorEmitted } = require('internal/tls/socket');

const kHandshakeTimeout = Symbol('handshake-timeout');
const kSNICallback = Symbol('snicallback');
const kPause = Symbol('pauseOnConnect');
const kTicketKeys = Symbol('ticketKeys');

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === 'function') {
    listener = options;
    options = {};
  } else if (options == null || typeof options === 'object') {
    options ??= {};
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  this.ALPNCallback = options.ALPNCallback;
  if (this.ALPNCallback && options.ALPNProtocols) throw new codes.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  if (options.ALPNProtocols) require('internal/tls/protocols').convertALPNProtocols(options.ALPNProtocols, this);
  this.setSecureContext(options);
  this[kHandshakeTimeout] = options.handshakeTimeout || 120_000;
  this[kSNICallback] = options.SNICallback;
  require('internal/validators').validateNumber(this[kHandshakeTimeout], 'options.handshakeTimeout');
  if (this[kSNICallback]) require('internal/validators').validateFunction(this[kSNICallback], 'options.SNICallback');
  net.Server.call(this, options, onConnection);
  this[kPause] = this.pauseOnConnect;
  // Nothing is read before it is known how to answer.
  this.pauseOnConnect = true;
  if (listener) this.on('secureConnection', listener);
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
    pauseOnConnect: this[kPause],
  });
  socket.on('secure', onSecure);
  socket.on('close', onClose);
  socket.on('_tlsError', onTLSError);
}

/// The context that was added for a name: of several, the last.
function byName(servername, callback) {
  const found = this.server._contexts.findLast(([pattern]) => pattern.test(servername));
  callback(null, found?.[1]);
}

function onSecure() {
  if (this._requestCert) {
    const error = verifyError(this);
    if (error) {
      this.authorizationError = error.code;
      if (this._rejectUnauthorized) this.destroy();
    } else {
      this.authorized = true;
    }
  }
  if (this.destroyed || !this._releaseControl()) return;
  this.secureConnecting = false;
  this.server.emit('secureConnection', this);
}

function onTLSError(error) {
  if (this._controlReleased || this[kErrorEmitted]) return;
  this[kErrorEmitted] = true;
  this.server.emit('tlsClientError', error, this);
}

function onClose(hadError) {
  if (hadError || this._controlReleased || this[kErrorEmitted]) return;
  this[kErrorEmitted] = true;
  this.server.emit('tlsClientError', connResetException('socket hang up'), this);
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
  if (options.sessionIdContext) this.sessionIdContext = options.sessionIdContext;
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
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
