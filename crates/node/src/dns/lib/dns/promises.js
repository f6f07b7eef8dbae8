// node:dns/promises.
'use strict';

const {
  lookupPromise, lookupServicePromise, getDefaultResultOrder, setDefaultResultOrder,
} = require('internal/dns/lookup');
const { PromisesResolver, bindDefaults, defaultResolverSetServers } = require('internal/dns/resolver');

module.exports = {
  lookup: lookupPromise,
  lookupService: lookupServicePromise,
  Resolver: PromisesResolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: defaultResolverSetServers,
  ...require('internal/dns/codes'),
};

bindDefaults(module.exports, PromisesResolver);
