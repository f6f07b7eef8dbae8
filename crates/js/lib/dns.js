// node:dns.
'use strict';

const {
  lookup, lookupService, getDefaultResultOrder, setDefaultResultOrder, ADDRCONFIG, ALL, V4MAPPED,
} = require('internal/dns/lookup');

module.exports = {
  lookup,
  lookupService,
  getDefaultResultOrder,
  setDefaultResultOrder,
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  ...require('internal/dns/codes'),
};

Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('dns/promises'); },
});
