// TLSSocket: a socket whose bytes nobody on the way can read.
// Uses binding.request, perform, referOperation, giveUpOperation, nextTick.
'use strict';

const hooked = require('internal/hooked');
const { Socket, kConnects } = require('internal/net/socket');
const { StreamHandle } = require('internal/net/handle');
const { codes, connResetException } = require('internal/errors');
const { tlsFailure } = require('internal/tls/failure');

const kAgreement = Symbol('agreement');
const kAsked = Symbol('asked');
const kBelieved = Symbol('believed');
const kErrorEmitted = Symbol('error-emitted');
const kNative = Symbol('context');
const kServername = Symbol('asked servername');
// What hooks know it by.
const kResource = Symbol('resource');
const kSession = Symbol('session');
const kSessionAsked = Symbol('session operation');
// Whether the talk has begun, and the event that says so.
const kStarted = Symbol('started');
const kStarting = Symbol('starting');

const isDuplex = (value) => value !== null && typeof value === 'object' && typeof value.write === 'function' &&
  typeof value.on === 'function';

/// Whether the stream is one of the world's, which can carry TLS itself.
const isPlain = (stream) => stream instanceof Socket && !(stream instanceof TLSSocket);

function TLSSocket(socket, options) {
  if (!(this instanceof TLSSocket)) return new TLSSocket(socket, options);
  options = { ...options };
  const { convertALPNProtocols } = require('internal/tls/protocols');
  if (options.ALPNProtocols) convertALPNProtocols(options.ALPNProtocols, options);
  const stream = socket instanceof Socket || isDuplex(socket) ? socket : undefined;
  if (socket && stream === undefined && typeof socket === 'object') options = { ...socket, ...options };
  const resource = {};
  if (stream !== undefined) hooked.made('TLSWRAP', resource);
  Socket.call(this, {
    handle: stream === undefined ? undefined : handleFor(stream, resource),
    allowHalfOpen: stream === undefined ? options.allowHalfOpen : stream.allowHalfOpen,
    pauseOnCreate: options.pauseOnConnect,
    manualStart: true,
    highWaterMark: options.highWaterMark,
    onread: stream === undefined ? options.onread : undefined,
    signal: options.signal,
  });
  Object.assign(this, {
    _tlsOptions: options,
    // Nobody has agreed to anything yet.
    _secureEstablished: false,
    _securePending: false,
    _newSessionPending: false,
    _controlReleased: false,
    secureConnecting: true,
    servername: null,
    alpnProtocol: null,
    authorized: false,
    authorizationError: null,
    server: options.server ?? null,
    _SNICallback: null,
    _requestCert: Boolean(options.requestCert) || !options.isServer,
    _rejectUnauthorized: Boolean(options.rejectUnauthorized),
    [kAgreement]: null,
    [kAsked]: undefined,
    [kBelieved]: false,
    [kErrorEmitted]: false,
    [kNative]: undefined,
    [kResource]: resource,
    [kServername]: undefined,
    [kSession]: undefined,
    [kSessionAsked]: undefined,
    [kStarted]: false,
    [kStarting]: false,
  });
  const { createSecureContext } = require('internal/tls/context');
  if (options.isServer && options.SNICallback !== undefined && options.SNICallback !== null) {
    require('internal/validators').validateFunction(options.SNICallback, 'options.SNICallback');
    this._SNICallback = options.SNICallback;
  }
  // Errors are the maker's until it hands the socket over.
  this.on('error', this._tlsError);
  this.ssl = this;
  this[kNative] = (options.secureContext ?? createSecureContext(options)).context;
  if (options.handshakeTimeout > 0) this.setTimeout(options.handshakeTimeout, this._handleTimeout);
  if (stream !== undefined) wrap(this, stream);
  if (options.pauseOnConnect) this.pause();
  // A stream that is there begins to talk as soon as its maker has said how.
  if (stream !== undefined && options.isServer) this._start();
  else if (stream !== undefined) binding.nextTick(() => this._start());
}
Object.setPrototypeOf(TLSSocket.prototype, Socket.prototype);
Object.setPrototypeOf(TLSSocket, Socket);

function handleFor(stream, resource) {
  if (!isPlain(stream)) {
    const { DuplexHandle } = require('internal/tls/duplex');
    return new DuplexHandle(stream);
  }
  return stream._handle instanceof StreamHandle ? securedOf(stream._handle, resource) : undefined;
}

/// A handle whose errors are those of TLS.
class TLSHandle extends StreamHandle {
  get hookType() {
    return 'TLSWRAP';
  }

  read(callback) {
    super.read((fault, bytes) => callback(fault === null ? null : tlsFailure(fault), bytes));
  }
}

/// What the socket beneath is left with: it can end the connection, but what comes is not for it.
class TakenHandle extends StreamHandle {
  get resourceName() {
    return undefined;
  }

  read() {}
}

/// A second handle of a stream: both sockets tell their own ends.
function copyOf(handle, Handle) {
  const copy = new Handle(handle.id);
  copy.sockname = handle.sockname;
  copy.peername = handle.peername;
  copy.referenced = handle.referenced;
  return copy;
}

/// One whose bytes are secured. Its end is that of the connection.
function securedOf(handle, resource) {
  const secured = copyOf(handle, TLSHandle);
  secured.resource = resource;
  secured.base = handle.resource ?? handle;
  return secured;
}

/// Lives and dies with the stream beneath.
function wrap(socket, stream) {
  socket._parent = stream;
  stream.on('close', () => socket.destroy());
  socket.on('close', () => stream.destroy());
  stream.on('error', (error) => socket.destroy(error));
  if (!isPlain(stream)) {
    // It is no socket: nothing of it is to be asked for.
    socket._parent = null;
    return;
  }
  // One that has nobody to talk to yet may be connected later.
  if (stream._handle instanceof StreamHandle || stream.destroyed) return;
  socket.connecting = true;
  stream.once('connect', () => {
    socket.connecting = false;
    socket._handle = securedOf(stream._handle, socket[kResource]);
    socket.emit('connect');
  });
}

const prototype = TLSSocket.prototype;

prototype[kConnects] = function() {
  hooked.made('TLSWRAP', this[kResource]);
};

/// Begins to talk, once there is somebody to talk to.
prototype._start = function() {
  if (this.connecting) {
    this.once('connect', this._start);
    return;
  }
  if (this[kStarting] || this.destroyed || !this._handle) return;
  this[kStarting] = true;
  if (isPlain(this._parent)) takeOver(this, this._parent, []);
  else begin(this, undefined);
};

/// Ends the reading of the socket beneath; what it has read belongs to the talk.
function takeOver(socket, raw, head) {
  if (socket.destroyed) return;
  raw.pause();
  let chunk;
  while (raw.readableLength > 0 && (chunk = raw.read()) !== null) head.push(chunk);
  const handle = raw._handle;
  if (!handle || handle.closed) return;
  if (!handle.recall()) {
    // Bytes are on their way to it.
    raw.once('readable', () => takeOver(socket, raw, head));
    return;
  }
  raw._handle = copyOf(handle, TakenHandle);
  raw._handle.resource = handle.resource ?? handle;
  begin(socket, head.length === 0 ? undefined : require('buffer').Buffer.concat(head));
}

function begin(socket, head) {
  socket[kStarted] = true;
  // One that connected by itself has a plain handle.
  if (!(socket._handle instanceof TLSHandle) && socket._handle.stream === undefined) {
    socket._handle = securedOf(socket._handle, socket[kResource]);
  }
  const options = socket._tlsOptions;
  // Where it begins is heard as an event of its own.
  hooked.call(socket[kResource], () => {});
  if (options.isServer && (socket._SNICallback !== null || options.ALPNCallback)) {
    ask(socket, 'tls.hello', { head }, (hello) => greeted(socket, hello));
  } else {
    start(socket, { head });
  }
  socket.emit(kStarted);
  if (!socket.isPaused() && !socket.destroyed) socket.read(0);
}

function start(socket, more) {
  const options = socket._tlsOptions;
  const asked = { ...more, context: socket[kNative].id };
  asked.protocols ??= options.ALPNProtocols ? require('internal/tls/protocols').list(options.ALPNProtocols) : undefined;
  if (options.isServer) {
    Object.assign(asked, { server: true, requestCert: socket._requestCert, rejectUnauthorized: socket._rejectUnauthorized });
  } else {
    if (socket[kServername]) asked.servername = socket[kServername];
    if (options.session) asked.session = options.session;
  }
  ask(socket, 'tls.start', asked, (agreement) => established(socket, agreement));
}

function ask(socket, kind, options, done) {
  const { _handle: handle } = socket;
  socket[kAsked] = handle.within(() => binding.request(kind, [handle.id, options], (fault, value) => {
    socket[kAsked] = undefined;
    if (socket.destroyed || handle.closed) return;
    if (fault === null) done(value);
    else failed(socket, fault);
  }));
}

/// The two sides could not agree.
function failed(socket, fault) {
  if (fault.code === 'EOF') {
    if (!socket._tlsOptions.isServer) socket.emit('end');
    socket.destroy();
    return;
  }
  const error = tlsFailure(fault);
  socket._hadError = true;
  const shown = socket._tlsError(error);
  socket.destroy(shown ?? undefined);
}

/// Chooses how to answer a client, whose first words are known.
function greeted(socket, hello) {
  const protocols = chosenProtocols(socket, hello);
  if (protocols === undefined) return;
  if (socket._SNICallback === null || hello.servername === false) {
    start(socket, { protocols });
    return;
  }
  // Known from here on, also to whoever hears that the two sides could not agree.
  socket.servername = hello.servername;
  let called = false;
  socket._SNICallback(hello.servername, (error, context) => {
    if (called) {
      socket.destroy(new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    if (socket.destroyed) return;
    if (error) {
      socket.destroy(error);
      return;
    }
    const native = context?.context ?? context;
    if (native) {
      if (native.id === undefined) {
        const wrong = new TypeError('Invalid SNI context');
        socket._tlsError(wrong);
        socket.destroy();
        return;
      }
      socket[kNative] = native;
    }
    start(socket, { protocols });
  });
}

/// The protocols that are offered to a client: those of the options, or the one that a function picked.
/// Undefined if that failed.
function chosenProtocols(socket, { servername, protocols }) {
  const { ALPNCallback, ALPNProtocols } = socket._tlsOptions;
  const { list } = require('internal/tls/protocols');
  if (!ALPNCallback) return ALPNProtocols ? list(ALPNProtocols) : [];
  if (protocols.length === 0) return [];
  const picked = ALPNCallback.call(socket, { servername, protocols });
  if (picked === undefined) return ['\0nothing that anybody speaks'];
  if (protocols.includes(picked)) return [picked];
  socket.destroy(new codes.ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(picked, protocols));
  return undefined;
}

function established(socket, agreement) {
  socket[kAgreement] = agreement;
  if (!socket._tlsOptions.isServer) askForSessions(socket);
  socket._finishInit();
  believe(socket);
}

/// Lets the peer know that all is well, unless the program thinks otherwise.
function believe(socket) {
  if (socket._tlsOptions.isServer || socket[kBelieved] || socket.destroyed) return;
  socket[kBelieved] = true;
  binding.perform('tls.believe', [socket._handle.id]);
}

prototype._finishInit = function() {
  if (!this._handle) return;
  const { protocol, servername } = this[kAgreement];
  this.alpnProtocol = protocol;
  if (this.servername === null) this.servername = servername;
  this._secureEstablished = true;
  if (this._tlsOptions.handshakeTimeout > 0) this.setTimeout(0, this._handleTimeout);
  this.emit('secure');
};

/// Sessions may come at any time; whoever waits for them only does not stay for that.
function askForSessions(socket) {
  const received = (fault, sessions) => {
    if (fault !== null || socket.destroyed) return;
    for (const session of sessions) {
      socket[kSession] = require('buffer').Buffer.from(session.buffer);
      hooked.call(socket[kResource], () => socket.emit('session', socket[kSession]));
      if (socket.destroyed) return;
    }
    askForSessions(socket);
  };
  const operation = hooked.quietly(() => binding.request('tls.session', [socket._handle.id], received));
  binding.referOperation(operation, false);
  if (socket[kSessionAsked] === undefined) socket.once('close', () => binding.giveUpOperation(socket[kSessionAsked]));
  socket[kSessionAsked] = operation;
}

// Nothing may leave, and nothing may be read, before the talk has begun.
for (const name of ['_writeGeneric', '_final', '_read']) {
  const original = Socket.prototype[name];
  prototype[name] = function(...args) {
    if (this.connecting || this[kStarted] || this._handle === null) return original.apply(this, args);
    this.once(kStarted, () => original.apply(this, args));
    this._start();
    return undefined;
  };
}

prototype._destroy = function(error, callback) {
  // Nobody waits any more for the two sides to agree.
  if (this[kAsked] !== undefined) binding.giveUpOperation(this[kAsked]);
  this[kAsked] = undefined;
  Socket.prototype._destroy.call(this, error, callback);
};

prototype._handleTimeout = function() {
  this._emitTLSError(new codes.ERR_TLS_HANDSHAKE_TIMEOUT());
};

prototype._emitTLSError = function(error) {
  const shown = this._tlsError(error);
  if (shown) this.destroy(shown);
};

prototype._tlsError = function(error) {
  this.emit('_tlsError', error);
  return this._controlReleased ? error : null;
};

prototype._releaseControl = function() {
  if (this._controlReleased) return false;
  this._controlReleased = true;
  this.removeListener('error', this._tlsError);
  return true;
};

prototype._init = function() {};
prototype._wrapHandle = function() { return this._handle; };
prototype._destroySSL = function() {};

prototype.disableRenegotiation = function() {
  this[Symbol.for('hemiola.renegotiationDisabled')] = true;
};

prototype.renegotiate = function(options, callback) {
  const { validateFunction, validateObject } = require('internal/validators');
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (this.destroyed) return undefined;
  const error = this[kAgreement]?.version === 'TLSv1.3' ?
    tlsFailure({ code: 'ERR_SSL_WRONG_SSL_VERSION', message: 'error:0A00010A:SSL routines::wrong ssl version' }) :
    new codes.ERR_TLS_RENEGOTIATION_DISABLED();
  if (callback) binding.nextTick(callback, error);
  return false;
};

prototype.exportKeyingMaterial = function(length, label, context) {
  const validators = require('internal/validators');
  validators.validateUint32(length, 'length', true);
  validators.validateString(label, 'label');
  if (context !== undefined) validators.validateBuffer(context, 'context');
  if (!this._secureEstablished) throw new codes.ERR_TLS_INVALID_STATE();
  const secret = binding.perform('tls.export', [this._handle.id, length, label, context]);
  return require('buffer').Buffer.from(secret.buffer);
};

prototype.setMaxSendFragment = function(size) {
  require('internal/validators').validateInt32(size, 'size');
  return size >= 512 && size <= 16384;
};

prototype.setServername = function(name) {
  require('internal/validators').validateString(name, 'name');
  if (this._tlsOptions.isServer) throw new codes.ERR_TLS_SNI_FROM_SERVER();
  this[kServername] = name;
};

prototype.setSession = function(session) {
  if (typeof session === 'string') session = require('buffer').Buffer.from(session, 'latin1');
  this._tlsOptions.session = session;
};

prototype.setKeyCert = function(context) {
  if (!context) return;
  const { createSecureContext } = require('internal/tls/context');
  this[kNative] = context.context ?? createSecureContext(context).context;
};

prototype.getPeerCertificate = function(detailed) {
  if (!this._handle) return null;
  const [own, ...issuers] = this[kAgreement]?.certificates ?? [];
  if (own === undefined) return {};
  return require('internal/tls/certificate').describe(own, detailed ? issuers : undefined);
};

prototype.getCertificate = function() {
  if (!this._handle) return null;
  const own = this[kNative].getCertificate();
  return own === undefined ? {} : require('internal/tls/certificate').describe(own);
};

prototype.getPeerX509Certificate = function() {
  const [own, ...issuers] = this[kAgreement]?.certificates ?? [];
  return own === undefined ? undefined : require('internal/crypto/x509').chain(own, issuers);
};

prototype.getX509Certificate = function() {
  const own = this._handle ? this[kNative].getCertificate() : undefined;
  return own === undefined ? undefined : require('internal/crypto/x509').chain(own, []);
};

prototype.getCipher = function() {
  if (!this[kAgreement]) return undefined;
  const { cipher, standardCipher, version } = this[kAgreement];
  return { name: cipher, standardName: standardCipher, version };
};

prototype.getProtocol = function() {
  if (!this._handle) return null;
  return this[kAgreement]?.version ?? this._tlsOptions.maxVersion ?? 'TLSv1.3';
};

prototype.getEphemeralKeyInfo = function() {
  if (!this._handle) return null;
  if (this._tlsOptions.isServer || !this[kAgreement]?.group) return this._tlsOptions.isServer ? null : {};
  const { name, size } = this[kAgreement].group;
  return { type: 'ECDH', name, size };
};

prototype.getSession = function() {
  if (!this._handle) return null;
  if (!this._secureEstablished) return undefined;
  // Before the server has sent one there is one that cannot be gone on with.
  return this[kSession] ?? require('buffer').Buffer.from('hemiola session 0');
};

prototype.isSessionReused = function() {
  if (!this._handle) return null;
  return this[kAgreement]?.reused ?? false;
};

prototype.getSharedSigalgs = function() { return []; };
prototype.getFinished = function() { return undefined; };
prototype.getPeerFinished = function() { return undefined; };
prototype.getTLSTicket = function() { return undefined; };
prototype.enableTrace = function() {};

Object.defineProperty(prototype, 'encrypted', { __proto__: null, get() { return true; }, configurable: true, enumerable: true });

/// Why the peer is not believed, as an error; undefined if it is.
function verifyError(socket) {
  const doubt = socket[kAgreement].doubt;
  if (doubt === null) return undefined;
  const error = new Error(doubt.message);
  error.code = doubt.code;
  return error;
}

module.exports = { TLSSocket, believe, verifyError, kErrorEmitted, connResetException };
