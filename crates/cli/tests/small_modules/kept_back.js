// Whoever keeps 'finish' of a response back keeps back all that follows from it.
'use strict';
const http = require('node:http');
const net = require('node:net');
const server = http.createServer((request, response) => {
  const { emit } = response;
  for (const name of ['end', 'close']) request.on(name, () => console.log('request', name));
  for (const name of ['finish', 'close']) response.on(name, () => console.log('response', name));
  response.emit = function(name, ...rest) {
    if (name !== 'finish') return emit.call(this, name, ...rest);
    setTimeout(() => {
      console.log('kept back', request.destroyed, response.destroyed, response.writableFinished);
      emit.call(this, name, ...rest);
      setTimeout(() => { socket.destroy(); server.close(); }, 20);
    }, 20);
    return true;
  };
  response.end(request.url === '/' ? 'ok' : undefined);
});
let socket;
server.listen(0, () => {
  socket = net.connect(server.address().port, () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
});
