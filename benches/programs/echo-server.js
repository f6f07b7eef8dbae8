// Echoes whatever its connections send; says on which port. Driven by benches/sockets.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('data', (data) => socket.write(data));
  socket.on('error', () => {});
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
