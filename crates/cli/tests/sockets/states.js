// When things are said: the state of sockets before, during and after connecting.
const net = require('net');
const state = (socket) => [socket.readyState, socket.pending, socket.connecting, socket._connecting, socket.destroyed, socket.readable, socket.writable,
  socket.writableEnded, socket.writableFinished, socket.closed, socket.bytesRead, socket.bytesWritten, socket.bufferSize, socket.timeout].join();
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (data) => socket.write(data));
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const socket = new net.Socket();
  console.log('new', state(socket));
  socket.connect(port, '127.0.0.1', function() {
    console.log('connect', this === socket, state(socket));
  });
  console.log('connecting', state(socket));
  console.log(socket.write('abc'), socket.write('d', 'latin1'), socket.write(Buffer.from('efg')), socket.write(new Uint8Array([104])));
  console.log('written', state(socket), socket.writableLength);
  socket.cork();
  socket.write('ij');
  socket.uncork();
  socket.write('6b6c', 'hex', () => console.log('callback', socket.bytesWritten));
  console.log('more', state(socket), socket.writableLength);
  let text = '';
  socket.on('ready', () => console.log('ready', socket.bytesWritten));
  socket.setEncoding('utf8');
  socket.on('data', (data) => {
    text += data;
    if (text.length === 12) {
      console.log(text, state(socket));
      socket.end('m', () => console.log('end callback'));
      console.log('ended', state(socket));
      socket.on('finish', () => console.log('finish', state(socket)));
      socket.on('end', () => console.log('end', state(socket)));
    }
  });
  socket.on('close', (...args) => {
    console.log('close', args, state(socket), socket.remoteAddress, socket.localAddress, JSON.stringify(socket.address()));
    server.close();
    invalid();
  });
});
function invalid() {
  const socket = new net.Socket();
  socket.on('error', (error) => console.log('event', error.code));
  for (const value of [null, undefined, 5, {}, [], true, () => {}]) {
    try {
      console.log(socket.write(value));
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  try {
    socket.write('x', 'no encoding');
  } catch (error) {
    console.log(error.code, error.message);
  }
  socket.destroy();
}
