// How `net` finds the addresses of a name.
// Uses binding.nextTick.
'use strict';

exports.ADDRCONFIG = 32;

/// `lookup(host, options, callback)`: addresses stand for themselves, and `localhost` for this computer.
exports.lookup = function lookup(host, { all, family }, callback) {
  const { isIP } = require('internal/net/ip');
  let found = isIP(host) ? { address: host, family: isIP(host) } : undefined;
  if (host === 'localhost') found = family === 6 ? { address: '::1', family: 6 } : { address: '127.0.0.1', family: 4 };
  if (found === undefined) {
    const error = require('internal/errors').dnsException(-3008, 'getaddrinfo', host);
    binding.nextTick(callback, error);
  } else if (all) {
    binding.nextTick(callback, null, [found]);
  } else {
    binding.nextTick(callback, null, found.address, found.family);
  }
};
