// One connection: what is sent comes in order, and an answer after what it answers. Its accesses are
// ordered.
'use strict';
const assert = require('assert');
const net = require('net');

const log = [];
const server = net.createServer((socket) => {
  socket.on('data', (data) => {
    log.push('got');
    socket.end(data);
  });
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    log.push('sent');
    socket.write('hello');
  });
  socket.on('data', (data) => log.push(String(data)));
  socket.on('close', () => {
    assert.deepStrictEqual(log, ['sent', 'got', 'hello']);
    server.close();
  });
});
