// Bytes that a server sends to a WebSocket: frames after a good handshake, or the handshake itself. The socket closes.
'use strict';

const { createHash } = require('crypto');
const net = require('net');
const { each, send, within, wrong } = require('./inputs.js');

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
let reply = Buffer.alloc(0);

function handshake(request, input) {
  const key = /^sec-websocket-key: *(.*)$/im.exec(request)?.[1].trim();
  const accept = createHash('sha1').update(key + GUID).digest('base64');
  const compressed = input.length % 2 === 0 ? 'Sec-WebSocket-Extensions: permessage-deflate\r\n' : '';
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`
    + `Sec-WebSocket-Accept: ${accept}\r\n${compressed}\r\n`;
}

const server = net.createServer((socket) => {
  let request = '';
  let isOpen = false;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    if (isOpen) return;
    request += chunk.toString('latin1');
    if (!request.includes('\r\n\r\n')) return;
    isOpen = true;
    const isHandshake = reply.subarray(0, 5).equals(Buffer.from('HTTP/'));
    if (!isHandshake) socket.write(handshake(request, reply));
    send(socket, reply);
    socket.end();
  });
});

function attack(port) {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => { socket.send('hello'); };
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string' && !(data instanceof ArrayBuffer)) wrong(`a message is ${typeof data}`);
    };
    socket.onerror = () => {};
    socket.onclose = ({ code }) => {
      if (!Number.isInteger(code) || code < 1000 || code > 4999) wrong(`it closes with ${code}`);
      resolve();
    };
  });
}

server.listen(0, '127.0.0.1', () => each(async (input) => {
  reply = input;
  await within(1000, attack(server.address().port), 'a WebSocket closes');
}).catch((error) => { wrong(error.stack); process.exit(1); }));
