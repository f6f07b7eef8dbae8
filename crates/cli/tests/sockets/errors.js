// Errors of handlers, and events without handlers.
const net = require('net');
process.on('uncaughtException', (error) => console.log('uncaught', error.code ?? error.message));
require('events').captureRejections = true;
const server = net.createServer(async (socket) => {
  socket.on('error', (error) => console.log('captured', error.message));
  socket.on('close', () => console.log('socket closed'));
  socket.resume();
  throw new Error('in a listener');
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const client = net.connect(port, '127.0.0.1');
  client.resume();
  client.on('close', () => {
    server.close(() => {
      net.connect(port, '127.0.0.1').on('close', (hadError) => {
        console.log('close', hadError);
        const busy = net.createServer().listen(0, '127.0.0.1', () => {
          net.createServer().listen(busy.address().port, '127.0.0.1');
          setTimeout(() => busy.close(), 5);
        });
      });
    });
  });
});
