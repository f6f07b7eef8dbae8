// Those who subscribe hear of every socket; a server may listen with the handle of another.
const net = require('net');
const { subscribe } = require('diagnostics_channel');
subscribe('net.client.socket', ({ socket }, name) => console.log(name, socket instanceof net.Socket, socket.connecting));
subscribe('net.server.socket', ({ socket }, name) => console.log(name, socket.readyState, socket.server === second));
const first = net.createServer(() => console.log('never'));
const second = net.createServer((socket) => {
  console.log('connection');
  socket.end();
});
first.listen(0, '127.0.0.1', () => {
  second.listen(first, () => {
    console.log(second.address().port === first.address().port);
    net.connect(second.address().port, '127.0.0.1').on('close', () => {
      second.close(() => console.log('closed'));
    }).resume();
  });
});
