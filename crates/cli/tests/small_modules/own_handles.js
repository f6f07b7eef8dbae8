// Sockets over handles that a program has made, and what headers are collected in.
const http = require('http');
const net = require('net');

for (const handle of [{}, { setNoDelay: null, setKeepAlive: undefined }, {
  setNoDelay: (...args) => console.log('setNoDelay', args),
  setKeepAlive: (...args) => console.log('setKeepAlive', args),
}]) {
  const socket = new net.Socket({ handle: { readStart: () => console.log('readStart'), ...handle } });
  for (const value of [undefined, true, 'yes', false, 0, 1]) socket.setNoDelay(value);
  for (const [value, delay] of [[true, 2500], [true, 2999], [1, 9000], [false, 1]]) socket.setKeepAlive(value, delay);
  console.log(socket.destroyed, socket.setNoDelay() === socket);
}

const server = http.createServer((request, response) => {
  const parts = ['headers', 'headersDistinct', 'trailers', 'trailersDistinct'];
  console.log(parts.map((name) => [name, Object.getPrototypeOf(request[name]) === null, request[name].a]));
  response.end();
});
server.listen(0, () => {
  http.get({ port: server.address().port, agent: false, headers: { a: 'b' } }, (response) => {
    console.log(Object.getPrototypeOf(response.headersDistinct), Object.getPrototypeOf(response.trailersDistinct));
    response.resume().on('close', () => server.close());
  });
});
