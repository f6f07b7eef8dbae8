// Names by way of the system: dns.lookup and dns.lookupService, with callbacks and with promises.
// Uses binding.request, nextTick.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS }, dnsException } = require('internal/errors');
const {
  validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString,
} = require('internal/validators');
const { atLevel, levelIn } = require('internal/levels');
const { isIP } = require('internal/net/ip');
const { begin, finish } = require('internal/observed');

const ADDRCONFIG = 32;
const ALL = 16;
const V4MAPPED = 8;
const EINVAL = -22;
const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
const FAMILIES = [0, 4, 6];
// The system takes no longer names.
const LONGEST = 255;

let defaultOrder = require('internal/flags').valueOf('--dns-result-order') ?? 'verbatim';

function setDefaultResultOrder(order) {
  validateOneOf(order, 'dnsOrder', ORDERS);
  defaultOrder = order;
}

const getDefaultResultOrder = () => defaultOrder;

// What the options say, all of it checked. Only callbacks know families by name.
function read(options, named) {
  const asked = { family: 0, hints: 0, all: false, order: defaultOrder };
  if (typeof options === 'number') {
    validateOneOf(options, 'family', FAMILIES);
    asked.family = options;
    return asked;
  }
  if (options == null) return asked;
  if (options.hints != null) {
    validateNumber(options.hints, 'options.hints');
    asked.hints = options.hints >>> 0;
    if ((asked.hints & ~(ADDRCONFIG | ALL | V4MAPPED)) !== 0) throw new ERR_INVALID_ARG_VALUE('hints', asked.hints);
  }
  if (options.family != null) {
    if (named && options.family === 'IPv4') asked.family = 4;
    else if (named && options.family === 'IPv6') asked.family = 6;
    else {
      validateOneOf(options.family, 'options.family', FAMILIES);
      asked.family = options.family;
    }
  }
  if (options.all != null) {
    validateBoolean(options.all, 'options.all');
    asked.all = options.all;
  }
  if (options.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    asked.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options.order != null) {
    validateOneOf(options.order, 'options.order', ORDERS);
    asked.order = options.order;
  }
  return asked;
}

let hasWarned = false;
function warnOfHostname(hostname) {
  if (hasWarned) return;
  hasWarned = true;
  require('internal/process').emitWarning(
    `The provided hostname "${hostname}" is not a valid hostname, and is supported in the dns module solely for compatibility.`,
    'DeprecationWarning', 'DEP0118');
}

// An answer that needs no asking: a list, or undefined.
function known(hostname, { family, all }) {
  if (!hostname) {
    warnOfHostname(hostname);
    return all ? [] : [{ address: null, family: family === 6 ? 6 : 4 }];
  }
  const version = isIP(hostname);
  return version === 0 ? undefined : [{ address: hostname, family: version }];
}

function inOrder(found, order) {
  if (order === 'verbatim') return found;
  const first = order === 'ipv4first' ? 4 : 6;
  return [...found.filter((one) => one.family === first), ...found.filter((one) => one.family !== first)];
}

/// The error for what the world says about a failed look-up.
function failure(fault, syscall, hostname) {
  if (fault instanceof Error) return fault;
  const { codes, genericNodeError } = require('internal/errors');
  if (fault.code === 'ERR_ACCESS_DENIED') return new codes.ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
  if (fault.code !== '') return genericNodeError(fault.message, { code: fault.code });
  return dnsException(fault.errno, syscall, hostname);
}

// Asks; `done(fault, list)` comes later, also when there is nothing to ask.
function find(hostname, asked, done) {
  let name = require('internal/idna').domainToASCII(hostname) ?? '';
  const end = name.indexOf('\0');
  if (end !== -1) name = name.slice(0, end);
  if (name.length > LONGEST) {
    binding.nextTick(done, { code: '', errno: EINVAL });
    return;
  }
  const { all, family, hints, order } = asked;
  const start = begin('dns');
  request('dns.lookup', [name, family, hints], (fault, found) => {
    if (fault !== null) {
      done(fault);
      return;
    }
    const list = inOrder(found, order);
    done(null, list);
    const addresses = () => (all ? list : list.map(({ address }) => address));
    finish('dns', 'lookup', start, () => ({ hostname, family, hints, verbatim: order === 'verbatim', order, addresses: addresses() }));
  });
}

/// Asks the world; what the program may not ask for fails later, too.
function request(kind, args, done) {
  try {
    binding.request(kind, args, done);
  } catch (fault) {
    binding.nextTick(done, fault);
  }
}

// What the callback forms give: a thing that says what was asked.
class GetAddrInfoReqWrap {}
class GetNameInfoReqWrap {}

function onlookup(error, found) {
  if (error !== null) this.callback(error);
  else this.callback(null, found[0].address, found[0].family);
}

function onlookupall(error, found) {
  if (error !== null) this.callback(error);
  else this.callback(null, found);
}

function onlookupservice(error, hostname, service) {
  if (error !== null) this.callback(error);
  else this.callback(null, hostname, service);
}

const isOptions = (value) => value === undefined || typeof value === 'object' || typeof value === 'number';

function refuseOptions(options) {
  throw new ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
}

function lookup(hostname, options, callback) {
  if (hostname) validateString(hostname, 'hostname');
  if (typeof options === 'function') [options, callback] = [undefined, options];
  else if (isOptions(options) || arguments.length > 2) validateFunction(callback, 'callback');
  else validateFunction(options, 'callback');
  if (!isOptions(options)) refuseOptions(options);
  const asked = read(options, true);
  const level = levelIn(options);
  const { all, family } = asked;
  const found = known(hostname, asked);
  if (found !== undefined) {
    if (all) binding.nextTick(callback, null, found);
    else binding.nextTick(callback, null, found[0].address, found[0].family);
    return {};
  }
  const asking = Object.assign(new GetAddrInfoReqWrap(), { callback, family, hostname, oncomplete: all ? onlookupall : onlookup });
  atLevel(level, () => find(hostname, asked, (fault, list) => {
    asking.oncomplete(fault === null ? null : failure(fault, 'getaddrinfo', hostname), list);
  }));
  return asking;
}

function lookupPromise(hostname, options) {
  if (hostname) validateString(hostname, 'hostname');
  if (!isOptions(options)) refuseOptions(options);
  const asked = read(options, false);
  const found = known(hostname, asked);
  if (found !== undefined) return Promise.resolve(asked.all ? found : found[0]);
  return new Promise((resolve, reject) => {
    atLevel(levelIn(options), () => find(hostname, asked, (fault, list) => {
      if (fault !== null) reject(failure(fault, 'getaddrinfo', hostname));
      else resolve(asked.all ? list : list[0]);
    }));
  });
}

function name(address, port, done) {
  const start = begin('dns');
  request('dns.lookupService', [address, port], (fault, found) => {
    done(fault, found?.hostname, found?.service);
    if (fault === null) finish('dns', 'lookupService', start, () => ({ host: address, port, ...found }));
  });
}

/// The port of a service to be named, if all that is needed was given.
function checkService(given, names) {
  if (given.length !== names.length) throw new ERR_MISSING_ARGS(...names);
  const [address, port] = given;
  if (isIP(address) === 0) throw new ERR_INVALID_ARG_VALUE('address', address);
  return validatePort(port);
}

function lookupService(address, port, callback) {
  port = checkService(arguments, ['address', 'port', 'callback']);
  validateFunction(callback, 'callback');
  const asking = Object.assign(new GetNameInfoReqWrap(), { callback, hostname: address, port, oncomplete: onlookupservice });
  name(address, port, (fault, hostname, service) => {
    asking.oncomplete(fault === null ? null : failure(fault, 'getnameinfo', address), hostname, service);
  });
  return asking;
}

function lookupServicePromise(address, port) {
  port = checkService(arguments, ['address', 'port']);
  return new Promise((resolve, reject) => {
    name(address, port, (fault, hostname, service) => {
      // Only the callback form says what was asked.
      if (fault !== null) reject(failure(fault, 'getnameinfo', undefined));
      else resolve({ hostname, service });
    });
  });
}

{
  const { customPromisifyArgs } = require('internal/util/promisify');
  const names = (fn, value) => Object.defineProperty(fn, customPromisifyArgs, { __proto__: null, value, enumerable: false });
  names(lookup, ['address', 'family']);
  names(lookupService, ['hostname', 'service']);
}

const promised = (fn, title) => Object.defineProperty(fn, 'name', { value: title, configurable: true });
module.exports = {
  ADDRCONFIG, ALL, V4MAPPED, setDefaultResultOrder, getDefaultResultOrder, lookup, lookupService,
  lookupPromise: promised(lookupPromise, 'lookup'), lookupServicePromise: promised(lookupServicePromise, 'lookupService'),
};
