// A program that always has something to do hears of its sockets, and its timers keep their turn.
const net = require('net');
let busy = true;
(function again() { if (busy) setImmediate(again); })();
let ticks = 0;
const ticking = setInterval(() => { ticks++; }, 1);
const server = net.createServer((socket) => socket.pipe(socket));
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let echoes = 0;
  client.on('data', () => {
    echoes++;
    if (echoes < 20 || ticks < 2) return client.write('x');
    busy = false;
    clearInterval(ticking);
    client.end();
    server.close(() => console.log('heard'));
  });
  client.write('x');
});
