// A body that nobody reads makes way for the next request.
const http = require('http');
const net = require('net');

const server = http.createServer((request, response) => {
  response.sendDate = false;
  // Who only listens for the end is told of it, though nobody reads.
  if (request.url === '/next') {
    for (const name of ['end', 'close']) request.on(name, () => console.log(request.url, name));
  }
  setImmediate(() => response.end(`${request.method} ${request.url}`));
});

server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  let all = '';
  let isFirst = true;
  socket.on('data', (data) => {
    all += data;
    if (!isFirst) return;
    isFirst = false;
    socket.write('llo');
    socket.write('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  });
  socket.on('close', () => {
    console.log(all);
    server.close(() => console.log('closed'));
  });
  socket.write('POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe');
});
