// `https`: HTTP over TLS.
'use strict';

const tls = require('tls');
const { Agent: HttpAgent } = require('_http_agent');
const { ClientRequest } = require('_http_client');
const http = require('_http_server');

/// A class over another that can be called without `new`.
function derive(derived, base) {
  Object.setPrototypeOf(derived.prototype, base.prototype);
  Object.setPrototypeOf(derived, base);
}

// Servers.

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  const [given, listener] = http.readArguments(options, requestListener);
  http.configure(this, given);
  const all = { noDelay: true, ...given };
  // Without a word of the program we speak what we speak.
  if (!all.ALPNProtocols && !all.ALPNCallback) all.ALPNProtocols = ['http/1.1'];
  tls.Server.call(this, all);
  http.serveHttp(this, 'secureConnection', given, listener);
  this.on('tlsClientError', onTlsClientError);
}
derive(Server, tls.Server);
Object.assign(Server.prototype, http.methodsOver(tls.Server));
Server.prototype[Symbol.asyncDispose] = http.Server.prototype[Symbol.asyncDispose];

/// A client that cannot be talked to is one that says nonsense.
function onTlsClientError(error, connection) {
  if (!this.emit('clientError', error, connection)) connection.destroy(error);
}

// Agents.

const ifTrue = (value) => (value ? value : '');
const ifGiven = (value) => (value === undefined ? '' : value);

/// Settings of TLS by which connections to one host differ, in the order of their names' parts, and how
/// they are written there.
const parts = [
  ['ca', ifTrue], ['cert', ifTrue], ['clientCertEngine', ifTrue], ['ciphers', ifTrue], ['key', ifTrue],
  ['pfx', (value) => (value && typeof value === 'object' && !ArrayBuffer.isView(value) ? JSON.stringify(value) : ifTrue(value))],
  ['rejectUnauthorized', ifGiven],
  ['servername', (value, { host }) => (value === host ? '' : ifTrue(value))],
  ['minVersion', ifTrue], ['maxVersion', ifTrue], ['secureProtocol', ifTrue], ['crl', ifTrue],
  ['honorCipherOrder', ifGiven], ['ecdhCurve', ifTrue], ['dhparam', ifTrue], ['secureOptions', ifGiven],
  ['sessionIdContext', ifTrue], ['sigalgs', (value) => (value ? JSON.stringify(value) : '')],
  ['privateKeyIdentifier', ifTrue], ['privateKeyEngine', ifTrue],
];

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  HttpAgent.call(this, options);
  Object.assign(this, {
    defaultPort: 443,
    protocol: 'https:',
    // How many servers it remembers, and what they gave it to be known by.
    maxCachedSessions: options?.maxCachedSessions ?? 100,
    _sessionCache: { map: {}, list: [] },
  });
}
derive(Agent, HttpAgent);

Object.assign(Agent.prototype, {
  /// `([port, [host,]] options)`
  createConnection(...args) {
    const [first, second] = args;
    const options = { ...args.find((one) => typeof one === 'object' && one !== null) };
    if (typeof first === 'number' || typeof first === 'string') options.port = first;
    if (typeof second === 'string') options.host = second;
    const key = options._agentKey;
    if (!key) return tls.connect(options);
    const session = this._getSession(key);
    if (session) options.session = session;
    const socket = tls.connect(options);
    socket.on('session', (fresh) => this._cacheSession(key, fresh));
    socket.once('close', (hadError) => { if (hadError) this._evictSession(key); });
    return socket;
  },

  getName(options = {}) {
    const written = parts.map(([name, write]) => write(options[name], options));
    return [HttpAgent.prototype.getName.call(this, options), ...written].join(':');
  },

  _getSession(key) {
    return this._sessionCache.map[key];
  },

  _cacheSession(key, session) {
    if (this.maxCachedSessions === 0) return;
    const { map, list } = this._sessionCache;
    if (map[key] === undefined) {
      if (list.length >= this.maxCachedSessions) delete map[list.shift()];
      list.push(key);
    }
    map[key] = session;
  },

  _evictSession(key) {
    const { map, list } = this._sessionCache;
    if (list.includes(key)) list.splice(list.indexOf(key), 1);
    delete map[key];
  },
});

// Clients.

/// As `http.request`, with our agent for those who name none.
function request(...args) {
  const ours = { _defaultAgent: module.exports.globalAgent };
  const [input] = args;
  if (typeof input === 'string' || require('internal/url').isURL(input)) {
    const options = typeof args[1] === 'function' ? undefined : args[1];
    return new ClientRequest(input, { ...options, ...ours }, args.slice(1).find((one) => typeof one === 'function'));
  }
  return typeof input === 'function' ? new ClientRequest(ours, input) : new ClientRequest({ ...input, ...ours }, args[1]);
}

const get = (input, options, callback) => request(input, options, callback).end();

let globalAgent;

module.exports = {
  Agent,
  get globalAgent() { return (globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 })); },
  set globalAgent(agent) { globalAgent = agent; },
  Server,
  createServer: (options, requestListener) => new Server(options, requestListener),
  get,
  request,
};
