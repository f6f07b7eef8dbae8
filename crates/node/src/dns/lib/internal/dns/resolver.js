// Resolvers, with callbacks and with promises.
// Uses binding.perform.
'use strict';

const {
  codes: { ERR_DNS_SET_SERVERS_FAILED, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE }, dnsException,
} = require('internal/errors');
const hooked = require('internal/hooked');
const { atLevel, levelIn } = require('internal/levels');
const observed = require('internal/observed');
const { validateFunction, validateInt32, validateString } = require('internal/validators');

// How the functions for a type are called, and what the failure says was done.
const queries = {
  resolveAny: ['ANY', 'queryAny'],
  resolve4: ['A', 'queryA'],
  resolve6: ['AAAA', 'queryAaaa'],
  resolveCaa: ['CAA', 'queryCaa'],
  resolveCname: ['CNAME', 'queryCname'],
  resolveMx: ['MX', 'queryMx'],
  resolveNs: ['NS', 'queryNs'],
  resolveTxt: ['TXT', 'queryTxt'],
  resolveSrv: ['SRV', 'querySrv'],
  resolvePtr: ['PTR', 'queryPtr'],
  resolveNaptr: ['NAPTR', 'queryNaptr'],
  resolveSoa: ['SOA', 'querySoa'],
};
const byType = Object.fromEntries(Object.entries(queries).map(([method, [type]]) => [type, method]));
const EINVAL = -22;

class ResolverBase {
  constructor(options = undefined) {
    const { timeout = -1, tries = 4 } = { ...options };
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    const { ChannelWrap } = require('internal/dns/channel');
    this._handle = new ChannelWrap(timeout, tries);
  }

  cancel() {
    this._handle.cancel();
  }

  getServers() {
    return this._handle.getServers();
  }

  setServers(servers) {
    const { parseServers } = require('internal/dns/servers');
    const refusal = this._handle.setServers(parseServers(servers));
    if (refusal !== undefined) throw new ERR_DNS_SET_SERVERS_FAILED(refusal, require('util').format('%s', servers));
  }

  setLocalAddress(ipv4, ipv6) {
    const { isIP } = require('internal/net/ip');
    validateString(ipv4, 'ipv4');
    if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
    const local = { 4: undefined, 6: undefined };
    for (const address of ipv6 === undefined ? [ipv4] : [ipv4, ipv6]) {
      const version = isIP(address);
      if (version === 0) throw addressError('Invalid IP address.');
      if (local[version] !== undefined) throw addressError(`Cannot specify two IPv${version} addresses.`);
      local[version] = address;
    }
    // Whichever is not given may be any again.
    this._handle.setLocalAddress(local[4], local[6]);
  }
}

function addressError(message) {
  const error = new TypeError(message);
  error.code = 'ERR_INVALID_ARG_VALUE';
  return error;
}

// Asks for records of a type, and calls back with an error, or with null and the answer. What the failure
// says was asked is what the program knows it by, and so does what observers of performance are told.
function ask(handle, type, name, withTtl, [syscall, shownName], done) {
  const start = observed.begin('dns');
  handle.query(name, type, (problem, records) => {
    let answer = problem;
    if (problem === null) answer = records.length === 0 ? 'ENODATA' : require('internal/dns/answers')[type](records, name, withTtl);
    if (typeof answer === 'string') answer = dnsException(answer, syscall, shownName);
    if (answer instanceof Error) {
      done(answer);
      return;
    }
    done(null, answer);
    observed.finish('dns', syscall, start, () => ({ host: shownName, ttl: withTtl, result: answer }));
  });
}

function askByName(handle, [type, syscall], name, withTtl, done) {
  let ascii = require('internal/idna').domainToASCII(name) ?? '';
  const end = ascii.indexOf('\0');
  if (end !== -1) ascii = ascii.slice(0, end);
  ask(handle, type, ascii, withTtl, [syscall, name], done);
}

// The names of an address: those in the computer's own list, or else what servers know.
function askReverse(handle, address, done) {
  const { toBytes, toText, reverseName } = require('internal/dns/addresses');
  const bytes = toBytes(address);
  let names;
  try {
    names = binding.perform('dns.hosts', [toText(bytes)]);
  } catch (fault) {
    require('timers').setImmediate(done, require('internal/dns/lookup').failure(fault, 'getHostByAddr', address));
    return;
  }
  if (names.length > 0) {
    // The first is what the address is called, and not among its other names.
    require('timers').setImmediate(done, null, names.slice(1));
    return;
  }
  ask(handle, 'PTR', reverseName(bytes), false, ['getHostByAddr', address], done);
}

const isAddress = (text) => require('internal/net/ip').isIP(text) !== 0;

// What the callback forms give: a thing that says what was asked.
class QueryReqWrap {
  constructor(bindingName, callback, hostname, ttl) {
    this.bindingName = bindingName;
    this.callback = callback;
    this.hostname = hostname;
    this.oncomplete = onresolve;
    this.ttl = ttl;
  }
}

// Asks, and tells it of the answer.
function begin(asking, ask) {
  hooked.made('QUERYWRAP', asking);
  hooked.quietly(() => ask((error, answer) => {
    hooked.run(asking, 'oncomplete', error, answer);
    hooked.ended(asking);
  }));
  return asking;
}

function onresolve(error, answer) {
  if (error !== null) this.callback(error);
  else this.callback(null, answer);
}

class Resolver extends ResolverBase {}
class PromisesResolver extends ResolverBase {}
Object.defineProperty(PromisesResolver, 'name', { value: 'Resolver', configurable: true });

function define(target, name, title, value) {
  Object.defineProperty(value, 'name', { value: title, configurable: true });
  target.prototype[name] = value;
}

for (const [method, query] of Object.entries(queries)) {
  define(Resolver, method, query[1], function(name, options, callback) {
    if (arguments.length < 3) [options, callback] = [undefined, options];
    validateString(name, 'name');
    validateFunction(callback, 'callback');
    const asking = new QueryReqWrap(query[1], callback, name, Boolean(options?.ttl));
    return begin(asking, (done) => atLevel(levelIn(options), () => askByName(this._handle, query, name, asking.ttl, done)));
  });
  Object.defineProperty(Resolver.prototype[method], 'length', { value: 2, configurable: true });
  define(PromisesResolver, method, query[1], function(name, options) {
    validateString(name, 'name');
    return new Promise((resolve, reject) => {
      const done = (error, answer) => (error === null ? resolve(answer) : reject(error));
      atLevel(levelIn(options), () => askByName(this._handle, query, name, Boolean(options?.ttl), done));
    });
  });
}

define(Resolver, 'reverse', 'getHostByAddr', function(name, options, callback) {
  if (arguments.length < 3) [options, callback] = [undefined, options];
  validateString(name, 'name');
  validateFunction(callback, 'callback');
  const asking = new QueryReqWrap('getHostByAddr', callback, name, false);
  if (!isAddress(name)) throw dnsException(EINVAL, 'getHostByAddr', name);
  return begin(asking, (done) => atLevel(levelIn(options), () => askReverse(this._handle, name, done)));
});
Object.defineProperty(Resolver.prototype.reverse, 'length', { value: 2, configurable: true });

define(PromisesResolver, 'reverse', 'getHostByAddr', function(name, options) {
  validateString(name, 'name');
  return new Promise((resolve, reject) => {
    if (!isAddress(name)) throw dnsException(EINVAL, 'getHostByAddr', name);
    const done = (error, answer) => (error === null ? resolve(answer) : reject(error));
    atLevel(levelIn(options), () => askReverse(this._handle, name, done));
  });
});

// The function for a type that a program names.
function methodFor(resolver, rrtype) {
  if (typeof rrtype !== 'string') throw new ERR_INVALID_ARG_TYPE('rrtype', 'string', rrtype);
  const method = Object.hasOwn(byType, rrtype) ? byType[rrtype] : undefined;
  if (method === undefined) throw new ERR_INVALID_ARG_VALUE('rrtype', rrtype);
  return Object.getPrototypeOf(resolver)[method];
}

define(Resolver, 'resolve', 'resolve', function(hostname, rrtype, callback) {
  if (typeof rrtype === 'function') [rrtype, callback] = ['A', rrtype];
  return Reflect.apply(methodFor(this, rrtype), this, [hostname, callback]);
});

define(PromisesResolver, 'resolve', 'resolve', function(hostname, rrtype) {
  if (rrtype === undefined) rrtype = 'A';
  else validateString(rrtype, 'rrtype');
  return Reflect.apply(methodFor(this, rrtype), this, [hostname]);
});

const names = [
  'getServers', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx', 'resolveNaptr',
  'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTxt', 'reverse',
];

// The modules that have the functions of a resolver of their own.
const modules = [];
// The servers that the program has set for them.
let chosen;

function bindTo(target, resolver) {
  for (const name of names) target[name] = resolver[name].bind(resolver);
}

/// Gives a module the functions of a resolver of its own.
function bindDefaults(target, Kind) {
  modules.push([target, Kind]);
  const resolver = new Kind();
  if (chosen !== undefined) resolver.setServers(chosen);
  bindTo(target, resolver);
}

/// Sets the servers of the modules. What they are asking goes on with those before.
function defaultResolverSetServers(servers) {
  for (const Kind of [Resolver, PromisesResolver]) {
    const resolver = new Kind();
    resolver.setServers(servers);
    for (const [target, own] of modules) if (own === Kind) bindTo(target, resolver);
  }
  chosen = [...servers];
}

module.exports = { Resolver, PromisesResolver, bindDefaults, defaultResolverSetServers };
