// What programs could once reach of a datagram socket, and what becomes of datagrams that wait when it is closed.
const dgram = require('dgram');

process.on('warning', ({ code, message }) => console.log(code, message));
const socket = dgram.createSocket('udp4');
const prototype = Object.getPrototypeOf(socket);
for (const name of ['_handle', '_receiving', '_bindState', '_queue', '_reuseAddr']) {
  const { enumerable, configurable, get, set } = Object.getOwnPropertyDescriptor(prototype, name);
  console.log(name, enumerable, configurable, typeof get, typeof set, typeof socket[name]);
}
for (const name of ['_healthCheck', '_stopReceiving']) console.log(name, socket[name].length, socket[name]());
socket._reuseAddr = true;
console.log(socket._reuseAddr);
socket.close();
try { socket._healthCheck(); } catch ({ code }) { console.log(code); }
console.log(socket._handle, socket._stopReceiving());
