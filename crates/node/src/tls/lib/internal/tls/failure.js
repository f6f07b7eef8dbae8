// Errors of TLS: what the world says, as OpenSSL's errors look in Node.
'use strict';

const pattern = /^error:[0-9A-F]{8}:([^:]+)::([^:]+)/;

/// The error for what the world says about a connection or a context.
function tlsFailure(fault) {
  if (fault instanceof Error) return fault;
  if (fault.code === '' || fault.code === 'ERR_ACCESS_DENIED') return require('internal/net/handle').failure(fault);
  const error = new Error(fault.message);
  const parts = pattern.exec(fault.message);
  if (parts !== null) {
    error.library = parts[1];
    error.reason = parts[2];
  }
  // What Node has no code for, has none.
  if (fault.code !== 'ERR_TLS_CONTEXT') error.code = fault.code;
  return error;
}

module.exports = { tlsFailure };
