// BlockList: rules about addresses, and whether one of them fits.
'use strict';

const { SocketAddress, groups } = require('internal/net/socket_address');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

/// What the program gives as an address. One that is none is undefined if `isLenient`.
function toAddress(address, family, name, isLenient = false) {
  if (SocketAddress.isSocketAddress(address)) return address;
  const { validateString } = require('internal/validators');
  for (const [value, what] of [[address, name], [family, 'family']]) validateString(value, what);
  try {
    return new SocketAddress({ address, family });
  } catch (error) {
    if (isLenient) return undefined;
    throw error;
  }
}

/// Which of two addresses comes first: negative, zero or positive.
function compare(one, other) {
  const [a, b] = [groups(one), groups(other)];
  for (let at = 0; at < 8; at++) if (a[at] !== b[at]) return a[at] - b[at];
  return 0;
}

/// Whether the first bits of two addresses are the same.
function agree(one, other, bits) {
  const [a, b] = [groups(one), groups(other)];
  for (let at = 0; at < 8 && bits > 0; at++, bits -= 16) {
    const unused = Math.max(0, 16 - bits);
    if (a[at] >> unused !== b[at] >> unused) return false;
  }
  return true;
}

const familyName = (address) => (address.family === 'ipv4' ? 'IPv4' : 'IPv6');

class BlockList {
  // The newest first; each with what it says and whether it fits an address.
  #rules = [];

  addAddress(address, family = 'ipv4') {
    const blocked = toAddress(address, family, 'address');
    this.#rules.unshift({
      text: `Address: ${familyName(blocked)} ${blocked.address}`,
      fits: (other) => compare(other, blocked) === 0,
    });
  }

  addRange(start, end, family = 'ipv4') {
    const [first, last] = [toAddress(start, family, 'start'), toAddress(end, family, 'end')];
    if (compare(first, last) > 0 && first.family === last.family) {
      const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
      throw new ERR_INVALID_ARG_VALUE('start', first, 'must come before end');
    }
    this.#rules.unshift({
      text: `Range: ${familyName(first)} ${first.address}-${last.address}`,
      fits: (other) => compare(other, first) >= 0 && compare(other, last) <= 0,
    });
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const base = toAddress(network, family, 'network');
    const { validateInt32 } = require('internal/validators');
    const isV4 = base.family === 'ipv4';
    validateInt32(prefix, 'prefix', 0, isV4 ? 32 : 128);
    this.#rules.unshift({
      text: `Subnet: ${familyName(base)} ${base.address}/${prefix}`,
      fits: (other) => agree(other, base, isV4 ? prefix + 96 : prefix),
    });
  }

  check(address, family = 'ipv4') {
    const known = toAddress(address, family, 'address', true);
    return known !== undefined && this.#rules.some(({ fits }) => fits(known));
  }

  get rules() {
    return this.#rules.map(({ text }) => text);
  }

  [kInspect](depth, options) {
    if (depth < 0) return '[BlockList]';
    return require('internal/event').inspectAs('BlockList', { rules: this.rules }, depth, options);
  }
}

module.exports = { BlockList };
