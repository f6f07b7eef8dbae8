// The address of a database: `postgres://user:password@host:port/database?sslmode=…`.
// Uses binding.isStoreAddress, readStoreAddress.
'use strict';

const { StoreError } = require('internal/scheduler/declared');

/// Whether a store is a database that several nodes share; else it is a file.
const isAddress = (store) => binding.isStoreAddress(store);

/// What an address says. Its password stands alone: it is in no message and in no recording.
function readAddress(text) {
  const { PGUSER, PGPASSWORD } = process.env;
  const { error, place, password, root, options } = JSON.parse(binding.readStoreAddress(text, PGUSER, PGPASSWORD));
  if (error !== undefined) throw new StoreError('ERR_STORE_ADDRESS', `options.store: ${error}`);
  const ca = root === null ? {} : { ca: require('fs').readFileSync(root, 'utf8') };
  return { place, password: password ?? undefined, label: options.label, options: { ...options, ...ca } };
}

module.exports = { isAddress, readAddress };
