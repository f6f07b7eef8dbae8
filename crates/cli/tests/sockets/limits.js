// maxConnections, getConnections, dropped connections, close with connections open.
const net = require('net');
const server = net.createServer((socket) => socket.resume().on('error', () => {}));
server.maxConnections = 2;
const drops = [];
server.on('drop', (data) => {
  drops.push(Object.keys(data).join());
  if (drops.length === 2) finish();
});
const sockets = [];
let closed = 0;
server.listen(0, '127.0.0.1', () => connect(0));
function connect(count) {
  if (count === 2) {
    server.getConnections((error, connections) => console.log('connections', error, connections));
  }
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    sockets.push(socket);
    if (count < 3) setTimeout(connect, 5, count + 1);
  });
  socket.on('error', (error) => console.log('client', error.code));
  socket.on('end', () => console.log('ended', count));
  socket.on('close', () => {
    console.log('closed', count);
    if (++closed === 2) leave();
  });
  socket.resume();
}
function finish() {
  console.log(drops);
  console.log(server.close((error) => {
    console.log('server closed', error);
    server.close((error) => console.log('again', error.code, error.message));
  }) === server);
  console.log(server.listening, server.address());
}
// Those that were dropped are gone.
function leave() {
  server.getConnections((error, count) => {
    console.log('left', count);
    for (const [at, socket] of sockets.entries()) setTimeout(() => socket.end(), at * 10);
  });
}
