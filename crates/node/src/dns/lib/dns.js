// node:dns.
'use strict';

const {
  lookup, lookupService, getDefaultResultOrder, setDefaultResultOrder, ADDRCONFIG, ALL, V4MAPPED,
} = require('internal/dns/lookup');
const { Resolver, bindDefaults, defaultResolverSetServers } = require('internal/dns/resolver');

module.exports = {
  lookup,
  lookupService,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: defaultResolverSetServers,
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  ...require('internal/dns/codes'),
};

bindDefaults(module.exports, Resolver);

Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('dns/promises'); },
});
