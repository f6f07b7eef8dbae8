// What a connection that goes away looks like.
'use strict';

/// The error for a peer that went away.
function connResetException(message) {
  const error = new Error(message);
  error.code = 'ECONNRESET';
  return error;
}

module.exports = { connResetException };
