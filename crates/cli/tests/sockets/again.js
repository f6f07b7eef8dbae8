// A socket that connects again, a server that listens again, many of both.
const net = require('net');
const server = net.createServer((socket) => socket.end('hi'));
let rounds = 0;
server.on('listening', () => console.log('listening', rounds));
function round() {
  server.listen(0, '127.0.0.1', () => {
    const socket = new net.Socket();
    let times = 0;
    socket.on('connect', () => console.log('connect', socket.readyState, socket.bytesRead));
    socket.on('data', (data) => console.log(data.toString()));
    socket.on('end', () => console.log('end'));
    socket.on('close', (hadError) => {
      console.log('close', hadError, socket.bytesRead);
      if (++times < 3) socket.connect(server.address().port, '127.0.0.1');
      else server.close(() => { if (++rounds < 2) round(); else many(); });
    });
    socket.connect({ port: server.address().port, host: '127.0.0.1' });
  });
}
round();
function many() {
  let open = 0;
  let total = 0;
  const server = net.createServer((socket) => { socket.pipe(socket); }).listen(0, '127.0.0.1', () => {
    for (let i = 0; i < 50; i++) {
      const client = net.connect(server.address().port, '127.0.0.1');
      open++;
      let text = '';
      client.write(`message ${i} `);
      client.end('end');
      client.on('data', (data) => { text += data; });
      client.on('end', () => { if (text === `message ${i} end`) total++; });
      client.on('close', () => { if (--open === 0) server.close(() => console.log('all', total)); });
    }
  });
}
