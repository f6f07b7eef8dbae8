// One connection from its first event to its last, on both sides.
const net = require('net');
const log = [];
const note = (...words) => log.push(words.join(' '));
const server = net.createServer((socket) => {
  note('server connection', socket.readyState, socket.pending, socket.server === server);
  for (const name of ['connect', 'ready', 'end', 'finish', 'drain', 'timeout']) socket.on(name, () => note('server', name));
  socket.on('data', (data) => { note('server data', data); socket.write(`echo ${data}`, () => note('server written')); });
  socket.on('close', (hadError) => note('server close', hadError));
});
server.on('close', () => note('listener close'));
server.listen(0, '127.0.0.1', () => {
  const { address, family, port } = server.address();
  note('listening', address, family, typeof port, server.listening);
  const client = net.connect(port, '127.0.0.1', () => {
    note('client connected', client.readyState, client.connecting, client.pending);
    note(client.remoteAddress, client.remoteFamily, client.remotePort === port, client.localAddress, client.localFamily);
    note(JSON.stringify(Object.keys(client.address())), client.address().port === client.localPort);
    client.write('one');
  });
  note('client', client.readyState, client.connecting, client.pending, client.remoteAddress);
  for (const name of ['ready', 'end', 'finish', 'drain', 'timeout']) client.on(name, () => note('client', name));
  client.setEncoding('utf8');
  client.on('data', (data) => {
    note('client data', data, client.bytesRead, client.bytesWritten);
    client.end('two');
  });
  client.once('data', () => client.removeAllListeners('data').on('data', (data) => note('client data', data)));
  client.on('close', (hadError) => {
    note('client close', hadError, client.destroyed, client.readyState, client.bytesRead, client.bytesWritten, client.remoteAddress);
    server.close(() => setTimeout(() => {
      // What each side saw is in order; how the two sides interleave is not.
      console.log(log.filter((line) => line.startsWith('server') || line.startsWith('listen')).join('\n'));
      console.log(log.filter((line) => !line.startsWith('server') && !line.startsWith('listen')).join('\n'));
    }, 20));
  });
});
console.log(server.address(), server.listening);
