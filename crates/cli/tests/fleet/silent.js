// Two hosts that have a connection over which nothing goes: who asks whether the other is there (`keepAlive`) notices that
// it is not. Lines have the seconds that it took.
const net = require('node:net');
const os = require('node:os');
const said = (...words) => console.log(...words, Math.round(performance.now() / 1000), Math.round(process.uptime()));

if (os.hostname() === 'server') {
  net.createServer((socket) => {
    socket.on('error', ({ code }) => said('server', code));
    socket.on('close', () => said('server closes'));
  }).listen(7000, () => said('server begins'));
} else {
  const [keep] = process.argv.slice(2);
  const socket = net.connect(7000, 'server', () => {
    said('connected');
    if (keep === 'late') setTimeout(() => socket.setKeepAlive(true, 5000), 20_000);
    else if (keep !== 'never') socket.setKeepAlive(true, Number(keep));
    if (keep === 'late') setTimeout(() => socket.write('x'), 11_000);
  });
  socket.on('error', ({ code, syscall }) => said(code, syscall));
  socket.on('close', () => said('closed'));
}
