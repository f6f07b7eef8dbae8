// Peers that reset, stall, send garbage or too much: the server goes on, and nothing stays open.
const fs = require('fs');
const http = require('http');
const net = require('net');

const server = http.createServer({ headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 }, (request, response) => {
  request.on('error', () => {});
  request.resume();
  request.on('end', () => response.end('still here'));
});
server.on('clientError', (error, socket) => socket.destroy());

const descriptors = () => fs.readdirSync('/proc/self/fd').length;

function disturb(act) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1', () => act(socket));
    socket.on('error', () => {});
    socket.resume();
    socket.on('close', resolve);
  });
}

function ask() {
  return new Promise((resolve, reject) => {
    http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
      let text = '';
      response.on('data', (part) => { text += part; });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

server.listen(0, '127.0.0.1', async () => {
  await ask();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const before = descriptors();
  const acts = {
    garbage: (socket) => socket.write('\x16\x03\x01 garbage'),
    'huge headers': (socket) => socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(100_000)}`),
    'endless headers': (socket) => socket.write(`GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(20_000)}`),
    reset: (socket) => { socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nab', () => socket.resetAndDestroy()); },
    'reset at once': (socket) => socket.resetAndDestroy(),
    'half a request': (socket) => socket.end('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nab'),
    'stalled head': (socket) => socket.write('GET / HTTP/1.1\r\nHos'),
    'stalled body': (socket) => socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nab'),
    'bad chunks': (socket) => socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'),
    'chunk extensions': (socket) => socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\n`),
    'never read': (socket) => { socket.pause(); socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100)); setTimeout(() => socket.destroy(), 50); },
  };
  for (const [name, act] of Object.entries(acts)) {
    await Promise.all(Array.from({ length: 8 }, () => disturb(act)));
    console.log(name, '->', await ask());
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log(descriptors() - before);
  server.close(() => console.log('closed'));
});
