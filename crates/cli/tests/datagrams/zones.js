// Addresses of IPv6 may name the interface. For the computer's own address that says nothing; one that is not there is
// any.
'use strict';
const dgram = require('node:dgram');
const net = require('node:net');

const bound = (address) => new Promise((resolve, reject) => {
  const socket = dgram.createSocket('udp6').on('error', reject);
  socket.bind(0, address, () => resolve(socket));
});
const shown = ({ address, family }) => `${address} ${family}`;

async function datagrams() {
  const socket = await bound('::1%lo');
  console.log('bound', shown(socket.address()));
  const message = new Promise((resolve) => socket.once('message', (bytes, from) => resolve([`${bytes}`, shown(from)])));
  socket.send('hello', socket.address().port, '::1%lo', (error) => console.log('sent', error));
  console.log(await message);
  const other = dgram.createSocket('udp6');
  await new Promise((resolve) => other.connect(socket.address().port, '::1%no-such', resolve));
  console.log('connected', shown(other.remoteAddress()));
  other.close();
  socket.close();
}

async function groups() {
  const socket = await bound('::');
  for (const name of ['::%lo', '::%no-such', '::']) {
    try {
      socket.setMulticastInterface(name);
      console.log(name, 'sends to groups');
    } catch ({ code }) {
      console.log(name, code);
    }
  }
  socket.addMembership('ff02::fb%lo', '::%lo');
  socket.dropMembership('ff02::fb%lo', '::%lo');
  socket.close();
}

async function connections() {
  const server = net.createServer((socket) => {
    console.log('from', socket.remoteAddress, 'to', socket.localAddress);
    socket.end('welcome');
  });
  await new Promise((resolve, reject) => server.on('error', reject).listen(0, '::1%lo', resolve));
  console.log('listens at', shown(server.address()));
  const client = net.connect(server.address().port, '::1%lo');
  for await (const bytes of client) console.log(`${bytes}`);
  server.close();
}

datagrams().then(groups).then(connections);
