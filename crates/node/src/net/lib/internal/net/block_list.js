// BlockList: rules about addresses, and whether one of them fits.
'use strict';

const { SocketAddress, groups } = require('internal/net/socket_address');
const { kClone, kWire } = require('internal/transfer');

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

// What each kind of rule says, and whether it fits an address. `second` is the last address of a range, or how many
// bits of a subnet count.
const kinds = {
  __proto__: null,
  Address: {
    show: (blocked) => blocked.address,
    fits: (other, blocked) => compare(other, blocked) === 0,
  },
  Range: {
    show: (first, last) => `${first.address}-${last.address}`,
    fits: (other, first, last) => compare(other, first) >= 0 && compare(other, last) <= 0,
  },
  Subnet: {
    show: (base, prefix) => `${base.address}/${prefix}`,
    fits: (other, base, prefix) => agree(other, base, base.family === 'ipv4' ? prefix + 96 : prefix),
  },
};

// For whoever makes a list of given rules.
const kRules = Symbol('kRules');

class BlockList {
  // The newest first; each with its kind and what it is about. Copies of a list share them.
  #rules;

  constructor(key = undefined, rules = undefined) {
    this.#rules = key === kRules ? rules : [];
  }

  addAddress(address, family = 'ipv4') {
    this.#rules.unshift({ kind: 'Address', first: toAddress(address, family, 'address'), second: undefined });
  }

  addRange(start, end, family = 'ipv4') {
    const [first, second] = [toAddress(start, family, 'start'), toAddress(end, family, 'end')];
    if (compare(first, second) > 0 && first.family === second.family) {
      const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
      throw new ERR_INVALID_ARG_VALUE('start', first, 'must come before end');
    }
    this.#rules.unshift({ kind: 'Range', first, second });
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const first = toAddress(network, family, 'network');
    const { validateInt32 } = require('internal/validators');
    validateInt32(prefix, 'prefix', 0, first.family === 'ipv4' ? 32 : 128);
    this.#rules.unshift({ kind: 'Subnet', first, second: prefix });
  }

  check(address, family = 'ipv4') {
    const known = toAddress(address, family, 'address', true);
    return known !== undefined && this.#rules.some(({ kind, first, second }) => kinds[kind].fits(known, first, second));
  }

  get rules() {
    return this.#rules.map(({ kind, first, second }) => `${kind}: ${familyName(first)} ${kinds[kind].show(first, second)}`);
  }

  [kClone]() {
    return new BlockList(kRules, this.#rules);
  }

  // Another machine has rules of its own: those that there are by now.
  [kWire]() {
    return ['BlockList', this.#rules];
  }

  [kInspect](depth, options) {
    if (depth < 0) return '[BlockList]';
    return require('internal/event').inspectAs('BlockList', { rules: this.rules }, depth, options);
  }
}

const revive = (rules) => new BlockList(kRules, rules);

module.exports = { BlockList, revive };
