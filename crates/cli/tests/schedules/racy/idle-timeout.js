// A client drops a connection on which nothing has come for a while.
// Race: an answer may be on its way for longer; what was expected of it is lost.
'use strict';
const assert = require('assert');
const net = require('net');

let answer = '';
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.end('pong');
  server.close();
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const idle = setTimeout(() => socket.destroy(), 200);
  socket.on('data', (text) => { answer += text; });
  socket.on('close', () => {
    clearTimeout(idle);
    assert.strictEqual(answer, 'pong');
  });
});
