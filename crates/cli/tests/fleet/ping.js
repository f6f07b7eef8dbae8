// A client that writes once a second, and a server that answers; run on hosts `a` and `b`.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');

const say = (...words) => console.log((performance.now() / 1000).toFixed(1), ...words);

if (os.hostname() === 'a') {
  const socket = net.connect(9000, 'b', () => say('connected'));
  socket.on('data', (bytes) => say(String(bytes)));
  socket.on('error', (error) => say(error.code));
  socket.on('end', () => say('end'));
  socket.on('close', () => say('closed'));
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 1000);
} else {
  say('begins at', new Date().toISOString());
  const server = net.createServer((socket) => {
    socket.on('data', (bytes) => socket.write(`echo ${bytes}`));
    socket.on('error', (error) => say('server', error.code));
  });
  server.listen(9000);
  setInterval(() => {
    try {
      fs.writeFileSync('/tmp/written', 'x');
    } catch {
      say('cannot write');
    }
  }, 2000);
}
