// How connections end, and what it looks like when they do.
'use strict';

/// The error for a peer that went away.
function connResetException(message) {
  const error = new Error(message);
  error.code = 'ECONNRESET';
  return error;
}

/// Ends a connection when all that was written has left.
function endSoon(socket) {
  if (typeof socket.destroySoon === 'function') socket.destroySoon();
  else socket.end();
}

module.exports = { connResetException, endSoon };
