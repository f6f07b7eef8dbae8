// The servers of a resolver as a program writes them.
'use strict';

const { codes: { ERR_INVALID_IP_ADDRESS } } = require('internal/errors');
const { validateArray, validateString } = require('internal/validators');
const { isIP } = require('internal/net/ip');
const { toBytes, toText } = require('internal/dns/addresses');

const PORT = 53;

function parse(text) {
  const bracketed = /^\[([^[\]]*)\]/.exec(text)?.[1];
  const [, address, port] = /^(.+?)(?::(\d+))?$/.exec(text) ?? [];
  let found;
  if (isIP(text) !== 0) found = [text, PORT];
  else if (bracketed !== undefined && isIP(bracketed) !== 0) found = [bracketed, /:(\d+)$/.exec(text)?.[1] ?? PORT];
  else if (isIP(address) !== 0) found = [address, port];
  const number = found && (Number(found[1]) & 0xffff);
  if (!number) throw new ERR_INVALID_IP_ADDRESS(text);
  return { address: toText(toBytes(found[0])), port: number };
}

/// The servers that a list of texts names, each once.
function parseServers(servers) {
  validateArray(servers, 'servers');
  const found = new Map();
  servers.forEach((text, i) => {
    validateString(text, `servers[${i}]`);
    const server = parse(text);
    found.set(show(server), server);
  });
  return [...found.values()];
}

/// A server as it is shown: with its port, unless that is the usual one.
function show({ address, port }) {
  if (port === PORT) return address;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

module.exports = { parseServers, show };
