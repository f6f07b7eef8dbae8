// SocketAddress: an address with its port, checked and in one spelling.
'use strict';

const { isIPv4, isIPv6 } = require('internal/net/ip');
const { kClone, kWire } = require('internal/transfer');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

/// The eight groups of an address; one of version 4 is mapped into the last two.
function groupsOf(address, family) {
  if (family === 'ipv4') return [0, 0, 0, 0, 0, 0xffff, ...pairs(address)];
  const zone = address.indexOf('%');
  if (zone !== -1) address = address.slice(0, zone);
  const [before, after] = address.split('::').map(parse);
  if (after === undefined) return before;
  return [...before, ...new Array(8 - before.length - after.length).fill(0), ...after];
}

function pairs(address) {
  const [a, b, c, d] = address.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

function parse(part) {
  if (part === '') return [];
  return part.split(':').flatMap((piece) => (piece.includes('.') ? pairs(piece) : [parseInt(piece, 16)]));
}

/// The spelling that the system has for an address of version 6: the longest run of zeros is left out.
function shown(groups) {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const isMapped = best.start === 0 && (best.length === 6 || (best.length === 5 && groups[5] === 0xffff));
  const last = isMapped ? [groups.slice(6).map((pair) => `${pair >> 8}.${pair & 255}`).join('.')] : [];
  const pieces = [...groups.slice(0, isMapped ? 6 : 8).map((group) => group.toString(16)), ...last];
  if (best.start === -1) return pieces.join(':');
  return `${pieces.slice(0, best.start).join(':')}::${pieces.slice(best.start + best.length).join(':')}`;
}

class SocketAddress {
  #address;
  #port;
  #family;
  #flowlabel;
  #groups;

  static isSocketAddress(value) {
    return typeof value === 'object' && value !== null && #groups in value;
  }

  constructor(options = {}) {
    const validators = require('internal/validators');
    const errors = require('internal/errors');
    validators.validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    const { port = 0, flowlabel = 0 } = options;
    if (typeof family?.toLowerCase === 'function') family = family.toLowerCase();
    if (family !== 'ipv4' && family !== 'ipv6') {
      throw new errors.codes.ERR_INVALID_ARG_VALUE('options.family', options.family);
    }
    const { address = family === 'ipv4' ? '127.0.0.1' : '::' } = options;
    validators.validateString(address, 'options.address');
    validators.validatePort(port, 'options.port');
    validators.validateUint32(flowlabel, 'options.flowlabel', false);
    if (!(family === 'ipv4' ? isIPv4(address) : isIPv6(address))) {
      throw errors.genericNodeError('Invalid socket address', { code: 'ERR_INVALID_ADDRESS' });
    }
    this.#groups = groupsOf(address, family);
    this.#address = family === 'ipv4' ? address : shown(this.#groups);
    this.#port = port | 0;
    this.#family = family;
    this.#flowlabel = family === 'ipv6' ? flowlabel : 0;
  }

  get address() {
    return this.#address;
  }

  get port() {
    return this.#port;
  }

  get family() {
    return this.#family;
  }

  get flowlabel() {
    return this.#flowlabel;
  }

  toJSON() {
    return { address: this.#address, port: this.#port, family: this.#family, flowlabel: this.#flowlabel };
  }

  [kClone]() {
    return new SocketAddress(this.toJSON());
  }

  [kWire]() {
    return ['SocketAddress', this.toJSON()];
  }

  [kInspect](depth, options) {
    if (depth < 0) return '[SocketAddress]';
    return require('internal/event').inspectAs('SocketAddress', this.toJSON(), depth, options);
  }

  /// The eight groups of an address, for those who compare them.
  static groups(address) {
    return address.#groups;
  }
}

const { groups } = SocketAddress;
delete SocketAddress.groups;

module.exports = { SocketAddress, groups };
