// A server numbers its connections; each of two clients thinks that it knows its number.
// Race: connections may be accepted, and their greetings arrive, in another order.
'use strict';
const assert = require('assert');
const net = require('net');

const greetings = [];
const server = net.createServer((socket) => {
  socket.once('data', (name) => {
    greetings.push(String(name));
    socket.end();
    if (greetings.length === 2) server.close();
  });
});
server.listen(0, '127.0.0.1', () => {
  const hello = (name) => net.connect(server.address().port, '127.0.0.1').end(name);
  hello('first');
  setTimeout(() => hello('second'), 100);
});
process.on('exit', () => assert.deepStrictEqual(greetings, ['first', 'second']));
