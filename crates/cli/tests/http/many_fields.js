// Of more than a thousand fields a message tells the first thousand, unless the server wants more.
const http = require('http');
const net = require('net');

const server = http.createServer((request, response) => {
  console.log(Object.keys(request.headers).length, Object.keys(request.headersDistinct).length);
  response.end();
});

server.listen(0, '127.0.0.1', async () => {
  const fields = Array.from({ length: 1200 }, (_, at) => `N${at}: v\r\n`).join('');
  for (const most of [null, 0, 50]) {
    server.maxHeadersCount = most;
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}\r\n`);
    await new Promise((resolve) => { socket.resume().on('close', resolve); });
  }
  server.close();
});
