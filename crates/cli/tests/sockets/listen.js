// The forms of `listen`, and what a server says about itself.
const net = require('net');
const forms = {
  nothing: (server, done) => server.listen(done),
  zero: (server, done) => server.listen(0, done),
  text: (server, done) => server.listen('0', done),
  host: (server, done) => server.listen(0, '127.0.0.1', done),
  localhost: (server, done) => server.listen(0, 'localhost', done),
  backlog: (server, done) => server.listen(0, '127.0.0.1', 5, done),
  'backlog only': (server, done) => server.listen(0, 5, done),
  options: (server, done) => server.listen({ port: 0, host: '127.0.0.1', backlog: 3, exclusive: true }, done),
  'undefined port': (server, done) => server.listen({ port: undefined, host: '127.0.0.1' }, done),
  'null port': (server, done) => server.listen({ port: null }, done),
  any: (server, done) => server.listen(0, '0.0.0.0', done),
  event: (server, done) => server.on('listening', done).listen(0, '127.0.0.1'),
};
(async () => {
  for (const [name, listen] of Object.entries(forms)) {
    const server = net.createServer((socket) => socket.end('hi'));
    await new Promise((resolve) => {
      const given = listen(server, function() {
        const { address, family, port } = server.address();
        console.log(name, this === server, address, family, port > 0, server.listening);
        net.connect(port, '127.0.0.1').on('data', (data) => console.log(data.toString())).on('close', () => server.close(resolve));
      });
      if (given !== server) console.log('not itself');
    });
  }
  const server = net.createServer();
  server.close((error) => console.log(error.code));
  await new Promise((resolve) => server.once('close', resolve));
  server.listen(0, () => console.log('never'));
  server.close(() => console.log('closed at once'));
})();
