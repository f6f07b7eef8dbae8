// Datagrams between sockets of one program.
'use strict';
const dgram = require('dgram');
const { once } = require('events');

const about = (error) => (error ? [error.code, error.message.replace(/:\d{4,}$/, ':PORT'), error.errno, error.syscall, error.address].join(' | ') : error);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const send = (socket, ...args) => new Promise((resolve) => socket.send(...args, (error, size) => resolve(about(error) ?? size)));
async function bound(options, ...args) {
  const socket = dgram.createSocket(options);
  socket.bind(...args);
  await once(socket, 'listening');
  return socket;
}
async function bindFails(options, ...args) {
  const socket = dgram.createSocket(options);
  const failed = once(socket, 'error');
  socket.bind(...args);
  const [error] = await failed;
  socket.close();
  return about(error);
}

async function main() {
  const server = await bound('udp4', 0, '127.0.0.1');
  const port = server.address().port;
  console.log('bound', server.address().address, server.address().family, port > 0);

  const echo = (message, rinfo) => server.send(message, rinfo.port, rinfo.address);
  server.on('message', echo);
  const client = dgram.createSocket('udp4');
  console.log('sent', await send(client, ['a', Buffer.from('b'), new Uint8Array([99])], port, '127.0.0.1'));
  const [reply, rinfo] = await once(client, 'message');
  console.log('reply', `${reply}`, Buffer.isBuffer(reply), { ...rinfo, port: rinfo.port === port });

  console.log('-- several arrive in order, whole, also empty ones');
  const lengths = [];
  const all = new Promise((resolve) => client.on('message', (message) => { if (lengths.push(message.length) === 6) resolve(); }));
  for (const length of [0, 1, 1000, 0, 65507, 2]) client.send(Buffer.alloc(length), port, '127.0.0.1');
  await all;
  console.log(lengths);
  client.removeAllListeners('message');

  console.log('-- a connected socket');
  const connected = dgram.createSocket('udp4');
  connected.connect(port, '127.0.0.1');
  await once(connected, 'connect');
  console.log(connected.remoteAddress().port === port, connected.address().address);
  connected.on('message', (message) => console.log('connected got', `${message}`));
  console.log(await send(connected, 'hello'), await send(connected, 'hello', 1, 2));
  await once(connected, 'message');
  await once(connected, 'message');
  await send(client, 'from a stranger', connected.address().port, '127.0.0.1');
  await pause(20);
  connected.disconnect();
  console.log('disconnected', connected.address().address, connected.address().port);
  connected.close();

  console.log('-- nobody there');
  const gone = await bound('udp4', 0, '127.0.0.1');
  const nobody = gone.address().port;
  gone.close();
  await once(gone, 'close');
  console.log(await send(client, 'x', nobody, '127.0.0.1'));
  await pause(20);
  console.log(await send(client, 'x', nobody, '127.0.0.1'));
  const lonely = dgram.createSocket('udp4');
  lonely.connect(nobody, '127.0.0.1');
  await once(lonely, 'connect');
  const refused = once(lonely, 'error');
  console.log(await send(lonely, 'x'));
  console.log(about((await refused)[0]));
  lonely.close();

  console.log('-- what is refused');
  console.log(await send(client, 'x', 9, '255.255.255.255'));
  console.log(await send(client, Buffer.alloc(70000), 9, '127.0.0.1'));
  console.log(await send(client, 'x', 9, '::1'));
  console.log(await send(client, 'x', 9, 'no.invalid'));
  const failed = once(client, 'error');
  client.send('x', 9, 'no.invalid');
  console.log('event', about((await failed)[0]));
  console.log(await bindFails('udp4', port, '127.0.0.1'));
  console.log(await bindFails('udp4', 0, '192.0.2.1'));
  client.close();

  console.log('-- several at one port');
  const first = await bound({ type: 'udp4', reuseAddr: true }, 0, '127.0.0.1');
  const second = await bound({ type: 'udp4', reuseAddr: true }, first.address().port, '127.0.0.1');
  first.on('message', () => console.log('the first'));
  second.on('message', () => console.log('the second'));
  await Promise.all([once(second, 'message'), send(server, 'x', first.address().port, '127.0.0.1')]);
  first.close();
  second.close();

  console.log('-- options');
  const set = await bound({ type: 'udp4', recvBufferSize: 10000, sendBufferSize: 20000 }, 0);
  console.log(set.getRecvBufferSize(), set.getSendBufferSize());
  set.setBroadcast(true);
  console.log(set.setTTL(3), set.setTTL(1.5), set.setMulticastTTL(0), set.setMulticastLoopback(false));
  for (const [name, value] of [['setTTL', 0], ['setTTL', 256], ['setMulticastTTL', 300], ['setMulticastInterface', ''], ['setMulticastInterface', 'x'], ['setMulticastInterface', '::1'], ['setMulticastInterface', '192.0.2.1']]) {
    try { set[name](value); } catch (error) { console.log(name, value, about(error)); }
  }
  set.close();

  console.log('-- groups');
  const member = await bound({ type: 'udp4', reuseAddr: true }, 0);
  member.addMembership('224.0.0.114', '127.0.0.1');
  member.setMulticastInterface('127.0.0.1');
  for (const [name, ...args] of [
    ['addMembership', '224.0.0.114', '127.0.0.1'], ['dropMembership', '224.0.0.115', '127.0.0.1'],
    ['addMembership', '10.0.0.1'], ['addMembership', '::1'],
  ]) {
    try { member[name](...args); } catch (error) { console.log(name, ...args, about(error)); }
  }
  member.send('to the group', member.address().port, '224.0.0.114');
  console.log(`${(await once(member, 'message'))[0]}`);
  member.dropMembership('224.0.0.114', '127.0.0.1');
  member.send('to nobody', member.address().port, '224.0.0.114');
  member.on('message', () => console.log('still a member'));
  await pause(20);
  member.addSourceSpecificMembership('127.0.0.1', '232.1.1.1', '127.0.0.1');
  member.dropSourceSpecificMembership('127.0.0.1', '232.1.1.1', '127.0.0.1');
  member.close();
  server.close();

  console.log('-- versions');
  const both = await bound('udp6', 0);
  console.log(both.address().address, both.address().family);
  const four = dgram.createSocket('udp4');
  await send(four, 'from 4', both.address().port, '127.0.0.1');
  const [seen, sender] = await once(both, 'message');
  console.log(`${seen}`, { ...sender, port: sender.port === four.address().port });
  console.log(await bindFails('udp4', both.address().port));
  both.close();
  four.close();
  const six = await bound({ type: 'udp6', ipv6Only: true }, 0);
  (await bound('udp4', six.address().port)).close();
  await send(six, 'to itself', six.address().port, '::1');
  const [itself, from] = await once(six, 'message');
  console.log(`${itself}`, from.address, from.family);
  six.close();

  console.log('-- ends');
  const controller = new AbortController();
  const aborted = await bound({ type: 'udp4', signal: controller.signal }, 0);
  controller.abort();
  await once(aborted, 'close');
  const unsent = dgram.createSocket('udp4');
  unsent.send('x', 9, () => console.log('never sent'));
  unsent.close();
  await once(unsent, 'close');
  const named = dgram.createSocket({ type: 'udp4', lookup: (name, family, found) => { console.log('looked up', name, family); found(null, '127.0.0.1', 4); } });
  console.log(await send(named, 'x', 9, 'some.name'));
  await named[Symbol.asyncDispose]();
  await named[Symbol.asyncDispose]();
  const idle = await bound('udp4', 0);
  idle.unref();
  console.log('end');
}
main();
