// What dgram says about wrong arguments and wrong moments.
'use strict';
const dgram = require('dgram');
const { inspect } = require('util');

const about = (error) => [error.name, error.code, error.message, error.errno, error.syscall, error.address].filter((part) => part !== undefined).join(' | ');
function attempt(name, act) {
  try {
    const value = act();
    console.log(name, 'gives', typeof value === 'object' ? typeof value : value);
  } catch (error) {
    console.log(name, 'throws', about(error));
  }
}
const called = (...args) => console.log('called', ...args.map((arg) => (arg instanceof Error ? about(arg) : arg)));

console.log('-- made');
for (const args of [
  [], ['x'], [null], [1], [{}], [{ type: 'x' }], [{ type: 'udp4', lookup: 1 }], [{ type: 'udp4', signal: 1 }],
  [{ type: 'udp4', recvBufferSize: 'x' }], [{ type: 'udp4', recvBufferSize: 1.5 }], [{ type: 'udp4', sendBufferSize: -1 }],
  [{ type: 'udp4', reuseAddr: 1, ipv6Only: 3 }], ['udp4', 1],
]) attempt(inspect(args), () => { dgram.createSocket(...args).close(); return 'a socket'; });

console.log('-- not bound');
const fresh = dgram.createSocket('udp4');
attempt('setBroadcast', () => fresh.setBroadcast(true));
for (const ttl of [3, 'x', undefined]) {
  attempt(`setTTL ${ttl}`, () => fresh.setTTL(ttl));
  attempt(`setMulticastTTL ${ttl}`, () => fresh.setMulticastTTL(ttl));
}
attempt('setMulticastLoopback', () => fresh.setMulticastLoopback(true));
for (const address of ['127.0.0.1', undefined, 'x']) attempt(`setMulticastInterface ${address}`, () => fresh.setMulticastInterface(address));
attempt('address', () => fresh.address());
attempt('remoteAddress', () => fresh.remoteAddress());
for (const which of ['Recv', 'Send']) {
  attempt(`get ${which}`, () => fresh[`get${which}BufferSize`]());
  for (const size of [100000, -1, 'x', 1.5]) attempt(`set ${which} ${size}`, () => fresh[`set${which}BufferSize`](size));
}
attempt('queue', () => fresh.getSendQueueSize() + fresh.getSendQueueCount());
attempt('disconnect', () => fresh.disconnect());
attempt('ref', () => fresh.ref() === fresh && fresh.unref() === fresh);
for (const args of [[], ['1.2.3.4'], ['x']]) attempt(`addMembership ${args}`, () => fresh.addMembership(...args));
attempt('dropMembership', () => fresh.dropMembership());
for (const args of [[], ['127.0.0.1']]) attempt(`addSourceSpecificMembership ${args}`, () => fresh.addSourceSpecificMembership(...args));
fresh.close();

console.log('-- closed');
for (const name of ['close', 'address', 'remoteAddress', 'bind']) attempt(name, () => fresh[name]());
attempt('send', () => fresh.send('x', 1));
attempt('connect', () => fresh.connect(1));
attempt('disconnect', () => fresh.disconnect());
attempt('ref', () => fresh.ref() === fresh);
attempt('setMulticastInterface', () => fresh.setMulticastInterface());

console.log('-- sent');
const socket = dgram.createSocket('udp4');
for (const args of [
  [], ['x'], ['x', 0], ['x', -1], ['x', 70000], ['x', 'abc'], ['x', 1, 2], ['x', 1, {}], [1, 1], [{}, 1], [null, 1], [undefined, 1],
  [[1], 1], [['a', {}], 1], ['abc', 5, 1, 9], ['abc', 1, 5, 9], ['abc', -1, 5, 9], [Buffer.from('abc'), 0, 9, 9, '127.0.0.1'],
  ['x', called], ['x', 9, '127.0.0.1', 'nofn'], ['abc', 0, 3], ['abc', 1, 2, 9.5, called],
]) attempt(inspect(args, { breakLength: Infinity }), () => socket.send(...args));
for (const args of [[], ['abc', 0, 1], ['abc', 'x', 1, 9, '127.0.0.1'], ['abc', 0, 'x', 9, '127.0.0.1'], ['abc', 0, 1, 9, 7]]) {
  attempt(`sendto ${args}`, () => socket.sendto(...args));
}
for (const args of [
  ['abc', 0, 1, 9, '127.0.0.1', 5], ['abc', 'x', 1, 9], [[], 9, '127.0.0.1'], ['x', 9, null, called], ['xy', 9, called],
  ['abc', 0, 3, 9, called], [new Uint16Array(2), 9, called], [new DataView(new ArrayBuffer(3)), 9, '127.0.0.1', called],
  [['a', Buffer.from('b'), new Uint16Array(1)], 9, called], ['abc', 0, 0, 9, called], ['', 9, called], ['abc', 1.5, 2, 9, called],
]) attempt(inspect(args, { breakLength: Infinity }), () => socket.send(...args));
attempt('bind again', () => socket.bind());
socket.send('last', 9, (error) => {
  called(error);
  socket.close(binds);
});

const bad = [[0, 1], [0, {}], [{ address: 1 }]];
const good = [[-65536], ['x'], [null], [undefined, '127.0.0.1'], [{ port: 0, exclusive: true }], [{ fd: -1 }], [0, 'no.invalid'], [0, '::1'], [0, '192.0.2.1']];
function binds() {
  console.log('-- bound');
  for (const args of bad) attempt(inspect(args), () => dgram.createSocket('udp4').bind(...args));
  let left = good.length;
  const lines = [];
  for (const [at, args] of good.entries()) {
    const one = dgram.createSocket('udp4');
    const done = (text) => {
      lines[at] = `${inspect(args)} ${text}`;
      one.close();
      if (--left === 0) console.log(lines.join('\n')), connects();
    };
    one.on('error', (error) => done(about(error)));
    one.on('listening', () => done(one.address().address));
    one.bind(...args);
  }
}

function connects() {
  console.log('-- connected');
  for (const args of [[], [0], [-1], ['x'], [9, 1], [9, {}], [9, null]]) attempt(inspect(args), () => dgram.createSocket('udp4').connect(...args));
  const one = dgram.createSocket('udp4');
  one.connect(9, (...args) => {
    called(...args);
    console.log(one.remoteAddress(), one.address().address);
    attempt('connect', () => one.connect(9));
    attempt('port', () => one.send('abc', 0, 1, 9));
    attempt('address', () => one.send('abc', 0, 1, null, '127.0.0.1'));
    attempt('sendto', () => one.sendto('abc', 0, 1, 9, 'x'));
    one.disconnect();
    attempt('disconnect', () => one.disconnect());
    one.close();
    const two = dgram.createSocket('udp4');
    two.connect(9, '::1', (error) => {
      called(error);
      two.on('error', (failed) => { called(failed); two.close(); });
      two.connect(9, 'no.invalid');
    });
  });
  attempt('again', () => one.connect(9));
}
