// `https`: HTTP over TLS.
'use strict';

const tls = require('tls');
const { Agent: HttpAgent } = require('_http_agent');
const { ClientRequest } = require('_http_client');
const { kUniqueHeaders, parseUniqueHeadersOption } = require('_http_outgoing');
const http = require('_http_server');
const { kConnections } = require('internal/http/connection');

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  if (typeof options === 'function') {
    requestListener = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else {
    require('internal/validators').validateObject(options, 'options');
    options = { ...options };
  }
  let protocols = ['http/1.1'];
  if (options.ALPNProtocols || options.ALPNCallback) protocols = undefined;
  http.storeHTTPOptions.call(this, options);
  tls.Server.call(this, { noDelay: true, ALPNProtocols: protocols, ...options }, http._connectionListener);
  this.httpAllowHalfOpen = false;
  if (requestListener) this.on('request', requestListener);
  this.on('tlsClientError', function addClientError(error, socket) {
    if (!this.emit('clientError', error, socket)) socket.destroy(error);
  });
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
  this[kConnections] = new Set();
  this[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);
  this.on('listening', http.setupConnectionsTracking);
}
Object.setPrototypeOf(Server.prototype, tls.Server.prototype);
Object.setPrototypeOf(Server, tls.Server);

for (const name of ['closeAllConnections', 'closeIdleConnections', 'setTimeout', Symbol.asyncDispose]) {
  Server.prototype[name] = http.Server.prototype[name];
}
Server.prototype.close = function close() {
  http.httpServerPreClose(this);
  Reflect.apply(tls.Server.prototype.close, this, arguments);
  return this;
};

/// Settings of TLS by which connections to one host differ, in the order of their names' parts.
const settings = ['ca', 'cert', 'clientCertEngine', 'ciphers', 'key', 'pfx', 'rejectUnauthorized', 'servername', 'minVersion',
  'maxVersion', 'secureProtocol', 'crl', 'honorCipherOrder', 'ecdhCurve', 'dhparam', 'secureOptions', 'sessionIdContext',
  'sigalgs', 'privateKeyIdentifier', 'privateKeyEngine'];

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  HttpAgent.call(this, options);
  this.defaultPort = 443;
  this.protocol = 'https:';
  this.maxCachedSessions = this.options.maxCachedSessions;
  if (this.maxCachedSessions === undefined) this.maxCachedSessions = 100;
  this._sessionCache = { map: {}, list: [] };
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

Agent.prototype.createConnection = function createConnection(port, host, options) {
  if (port !== null && typeof port === 'object') options = port;
  else if (host !== null && typeof host === 'object') options = { ...host };
  else if (options === null || typeof options !== 'object') options = {};
  else options = { ...options };
  if (typeof port === 'number') options.port = port;
  if (typeof host === 'string') options.host = host;
  if (options._agentKey) {
    const session = this._getSession(options._agentKey);
    if (session) options = { session, ...options };
  }
  const socket = tls.connect(options);
  if (options._agentKey) {
    socket.on('session', (session) => this._cacheSession(options._agentKey, session));
    // A session that did not help is of no use to the next one, either.
    socket.once('close', (hadError) => {
      if (hadError) this._evictSession(options._agentKey);
    });
  }
  return socket;
};

Agent.prototype.getName = function getName(options = {}) {
  let name = HttpAgent.prototype.getName.call(this, options);
  for (const setting of settings) {
    name += ':';
    const value = options[setting];
    if (setting === 'rejectUnauthorized' || setting === 'honorCipherOrder') {
      if (value !== undefined) name += value;
    } else if (setting === 'secureOptions') {
      if (value !== undefined) name += value;
    } else if (setting === 'servername') {
      if (value && value !== options.host) name += value;
    } else if (setting === 'pfx' && value && typeof value === 'object' && !ArrayBuffer.isView(value)) {
      name += JSON.stringify(value);
    } else if (setting === 'sigalgs') {
      if (value) name += JSON.stringify(value);
    } else if (value) {
      name += value;
    }
  }
  return name;
};

Agent.prototype._getSession = function _getSession(key) {
  return this._sessionCache.map[key];
};

Agent.prototype._cacheSession = function _cacheSession(key, session) {
  if (this.maxCachedSessions === 0) return;
  const { map, list } = this._sessionCache;
  if (map[key] === undefined) {
    if (list.length >= this.maxCachedSessions) delete map[list.shift()];
    list.push(key);
  }
  map[key] = session;
};

Agent.prototype._evictSession = function _evictSession(key) {
  const { map, list } = this._sessionCache;
  const at = list.indexOf(key);
  if (at === -1) return;
  list.splice(at, 1);
  delete map[key];
};

let globalAgent;

function request(...args) {
  let options = {};
  if (typeof args[0] === 'string') {
    const { urlToHttpOptions, URL } = require('internal/url');
    options = urlToHttpOptions(new URL(args.shift()));
  } else if (require('internal/url').isURL(args[0])) {
    options = require('internal/url').urlToHttpOptions(args.shift());
  }
  if (args[0] && typeof args[0] !== 'function') Object.assign(options, args.shift());
  options._defaultAgent = module.exports.globalAgent;
  return new ClientRequest(options, ...args);
}

function get(input, options, callback) {
  const made = request(input, options, callback);
  made.end();
  return made;
}

module.exports = {
  Agent,
  globalAgent: undefined,
  Server,
  createServer(options, requestListener) { return new Server(options, requestListener); },
  get,
  request,
};
Object.defineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return (globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 })); },
  set(value) { globalAgent = value; },
});
