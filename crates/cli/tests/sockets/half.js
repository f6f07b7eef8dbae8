// Half of a connection may end before the other.
const net = require('net');
function run(allowHalfOpen, next) {
  const seen = [];
  const server = net.createServer({ allowHalfOpen }, (socket) => {
    seen.push(`server ${socket.allowHalfOpen}`);
    socket.on('end', () => {
      seen.push(`server end ${socket.writable} ${socket.readyState}`);
      if (allowHalfOpen) setTimeout(() => socket.end('late'), 5);
    });
    socket.on('close', () => seen.push('server close'));
    socket.resume();
  }).listen(0, '127.0.0.1', () => {
    const client = net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    client.end('bye');
    client.on('finish', () => seen.push(`client finish ${client.readyState}`));
    client.on('data', (data) => { text += data; });
    client.on('end', () => seen.push(`client end [${text}]`));
    client.on('close', () => {
      seen.push('client close');
      server.close(() => setTimeout(() => { console.log(seen.sort().join('\n')); next(); }, 10));
    });
  });
}
run(true, () => run(false, writeAfter));
function writeAfter() {
  const server = net.createServer((socket) => {
    socket.on('error', (error) => console.log('server error', error.code, error.message));
    socket.on('end', () => {
      // This side ends by itself, too.
      setImmediate(() => {
        console.log(socket.writableEnded, socket.write('more', (error) => console.log('written', error.code, error.message)));
      });
    });
    socket.resume();
  }).listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.end());
    client.on('close', () => server.close(() => console.log('done'))).resume();
  });
}
