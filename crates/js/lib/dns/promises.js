// node:dns/promises.
'use strict';

const {
  lookupPromise, lookupServicePromise, getDefaultResultOrder, setDefaultResultOrder,
} = require('internal/dns/lookup');

module.exports = {
  lookup: lookupPromise,
  lookupService: lookupServicePromise,
  getDefaultResultOrder,
  setDefaultResultOrder,
  ...require('internal/dns/codes'),
};
