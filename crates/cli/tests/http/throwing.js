// A listener that throws does not stop what it listens to.
const http = require('http');
const net = require('net');
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
const done = (...emitters) => Promise.all(emitters.map((one) => new Promise((resolve) => one.on('close', resolve))));

(async () => {
  const plain = net.createServer((socket) => {
    socket.write('first');
    socket.once('data', () => socket.end('last'));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => plain.once('listening', resolve));
  const socket = net.connect(plain.address().port, '127.0.0.1');
  let seen = 0;
  socket.on('data', (bytes) => {
    console.log(`data ${bytes}`);
    if (seen++ === 0) {
      socket.write('more');
      throw new Error('in data');
    }
  });
  socket.on('end', () => console.log('end'));
  await done(socket);
  plain.close();

  let finish;
  const server = http.createServer((request, response) => {
    if (request.url === '/all') return response.end('all');
    response.write('a part');
    finish = () => response.end('the rest');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  for (const path of ['/all', '/parts']) {
    let ended;
    const request = http.get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.on('end', () => console.log('response end'));
      response.on('error', (error) => console.log('response error', error.message));
      ended = done(response);
      response.resume();
      setImmediate(() => finish?.());
      throw new Error(`in the callback of ${path}`);
    });
    request.on('error', (error) => console.log('request error', error.message, error.code));
    await done(request);
    await ended;
    console.log('closed', path);
  }
  server.close();
})();
