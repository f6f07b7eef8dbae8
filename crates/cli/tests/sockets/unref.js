// What keeps a program alive, and what does not.
const net = require('net');
const server = net.createServer((socket) => {
  socket.unref();
  socket.on('data', (data) => console.log('server', data.toString()));
}).listen(0, '127.0.0.1', () => {
  server.unref();
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    console.log('connected');
    client.write('one', () => {
      setTimeout(() => {
        client.unref();
        setTimeout(() => console.log('a timer keeps it'), 10);
        setTimeout(() => console.log('never'), 100_000).unref();
      }, 10);
    });
  });
  client.on('close', () => console.log('never'));
});
const idle = net.createServer().listen(0).unref();
idle.ref();
idle.unref();
process.on('exit', (code) => console.log('exit', code, server.listening, idle.listening));
