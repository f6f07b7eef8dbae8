// Names by way of the system: only those that every computer agrees about.
'use strict';
const dns = require('dns');
const { inspect, promisify } = require('util');

const about = (error) => `${error.name} | ${error.code} | ${error.message} | ${error.errno} | ${error.syscall} | ${error.hostname}`;
const shown = (value) => inspect(value, { breakLength: Infinity });
const lines = [];
const note = (at, text) => { (lines[at] ??= []).push(text); };
const nothing = () => {};

const cases = [
  [], ['x'], [1], [1, nothing], ['127.0.0.1', 'x'], ['127.0.0.1', 'x', nothing], ['127.0.0.1', 5, nothing], ['127.0.0.1', 4],
  ['127.0.0.1', null, nothing], ['127.0.0.1', { family: 'IPv4' }, nothing], ['127.0.0.1', { family: 'x' }, nothing],
  ['127.0.0.1', { family: null }, nothing], ['127.0.0.1', { hints: -1 }, nothing], ['127.0.0.1', { hints: 'x' }, nothing],
  ['127.0.0.1', { hints: 1 }, nothing], ['127.0.0.1', { hints: dns.ALL | dns.V4MAPPED | dns.ADDRCONFIG }, nothing],
  ['127.0.0.1', { hints: 1.5 }, nothing], ['127.0.0.1', { hints: NaN }, nothing], ['127.0.0.1', { all: 1 }, nothing],
  ['127.0.0.1', { verbatim: 1 }, nothing], ['127.0.0.1', { order: 'x' }, nothing], ['127.0.0.1', { order: null }, nothing],
  ['127.0.0.1', { verbatim: null, all: null }, nothing], ['127.0.0.1', { order: 'ipv6first', verbatim: 3 }, nothing],
  [{}, nothing], ['127.0.0.1', Symbol('s'), nothing], ['127.0.0.1', {}, null], ['127.0.0.1', true], ['127.0.0.1', { family: 4.5 }, nothing],
];
for (const args of cases) {
  for (const [name, lookup] of [['callback', dns.lookup], ['promise', dns.promises.lookup]]) {
    try {
      const given = lookup(...args);
      console.log(name, shown(args), given instanceof Promise ? 'a promise' : given);
      if (given instanceof Promise) given.catch(nothing);
    } catch (error) {
      console.log(name, shown(args), about(error));
    }
  }
}
for (const args of [
  [], ['127.0.0.1'], ['127.0.0.1', 80], ['x', 80, nothing], ['127.0.0.1', -1, nothing], ['127.0.0.1', '80x', nothing],
  ['127.0.0.1', '80', 3], ['127.0.0.1', 70000, nothing], [1, 2, nothing], ['127.0.0.1', null, nothing],
]) {
  for (const [name, lookup] of [['callback', dns.lookupService], ['promise', dns.promises.lookupService]]) {
    try {
      console.log(name, shown(args), typeof lookup(...args));
    } catch (error) {
      console.log(name, shown(args), about(error));
    }
  }
}
for (const order of ['x', undefined, 1, 'ipv4first', 'ipv6first', 'verbatim']) {
  try {
    dns.setDefaultResultOrder(order);
    console.log(order, dns.getDefaultResultOrder(), dns.promises.getDefaultResultOrder());
  } catch (error) {
    console.log(order, about(error));
  }
}
console.log(Object.keys(dns), Object.keys(dns.promises));
for (const module of [dns, dns.promises]) {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value === 'function') console.log(name, value.name, value.length);
    else if (typeof value !== 'object') console.log(name, value);
  }
}
console.log(dns.promises === require('dns/promises'), dns.lookup('localhost', nothing));

const names = [
  'localhost', 'LOCALHOST', 'ｌｏcalhost', 'no.invalid', 'a'.repeat(300), 'a\0b', 'loc alhost', 'täst.invalid', '127.1', '0x7f.1', '%', '1',
  '::1%lo', 'fe80::1%eth0', '127.0.0.1', '::1', '[::1]', 'foo_bar.invalid', '-a.invalid', '256.256.256.256', '.', 'a..b', `${'a'.repeat(70)}.invalid`,
];
async function main() {
  process.on('warning', (warning) => console.log(warning.code, warning.message));
  console.log(await promisify(dns.lookup)('127.0.0.1'), await promisify(dns.lookup)('localhost', { family: 4 }));
  await Promise.all(names.map(async (name, at) => {
    await new Promise((done) => dns.lookup(name, { all: true, family: 0 }, (error, found) => {
      note(at, error ? about(error) : shown(name.toLowerCase() === 'localhost' ? found.length > 0 : found));
      done();
    }));
    await new Promise((done) => dns.lookup(name, 4, (error, address, family) => {
      note(at, error ? about(error) : `${address} ${family}`);
      done();
    }));
    await dns.promises.lookup(name, 4).then((found) => note(at, shown(found)), (error) => note(at, about(error)));
  }));
  names.forEach((name, at) => console.log(shown(name), lines[at]));
  console.log(await dns.promises.lookupService('127.0.0.1', 80), await dns.promises.lookupService('127.0.0.1', 0));
  await dns.promises.lookupService('192.0.2.1', 80).catch((error) => console.log(about(error)));
  await promisify(dns.lookupService)('192.0.2.1', 80).catch((error) => console.log(about(error)));
  for (const nobody of [undefined, null, '']) {
    console.log(await dns.promises.lookup(nobody, { family: 6 }), await dns.promises.lookup(nobody, { all: true }));
  }
}
process.noDeprecation = true;
main();
