// Connections that nobody on the way can read.
'use strict';

const { defaults } = require('internal/tls/context');

const exported = {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS: defaults.ciphers,
  DEFAULT_ECDH_CURVE: defaults.curve,
  DEFAULT_MIN_VERSION: defaults.minVersion,
  DEFAULT_MAX_VERSION: defaults.maxVersion,
  getCiphers() {
    require('internal/tls/certificate');
    return binding.tlsCiphers().map((name) => name.toLowerCase()).sort();
  },
  rootCertificates: undefined,
  convertALPNProtocols(protocols, out) { require('internal/tls/protocols').convertALPNProtocols(protocols, out); },
  checkServerIdentity(hostname, cert) { return require('internal/tls/identity').checkServerIdentity(hostname, cert); },
  createSecureContext(options) { return require('internal/tls/context').createSecureContext(options); },
  SecureContext: require('internal/tls/context').SecureContext,
  TLSSocket: require('internal/tls/socket').TLSSocket,
  Server: require('internal/tls/server').Server,
  createServer(options, listener) { return new exported.Server(options, listener); },
  connect(...args) { return require('internal/tls/connect').connect(...args); },
};

let roots;
Object.defineProperty(exported, 'rootCertificates', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  get() {
    require('internal/tls/certificate');
    roots ??= Object.freeze(binding.rootCertificates());
    return roots;
  },
});

module.exports = exported;
