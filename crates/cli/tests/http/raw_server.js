// What a server makes of bytes, good and bad, and what it sends back to the byte.
const http = require('http');
const net = require('net');

const server = http.createServer({ keepAliveTimeout: 3000 }, (request, response) => {
  console.log('request', request.method, request.url, request.httpVersion, request.rawHeaders.length);
  request.on('aborted', () => console.log('aborted'));
  if (request.url === '/wait') return;
  response.sendDate = false;
  response.end(request.url);
});

function send(target, bytes, end = true) {
  return new Promise((resolve) => {
    const socket = net.connect(target.address().port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => { text += part.replace(/Date: [^\r]*/, 'Date: ?'); });
    socket.on('error', (error) => console.log('socket', error.code));
    socket.on('close', () => {
      console.log(JSON.stringify(bytes.slice(0, 70)), '->', JSON.stringify(text));
      resolve();
    });
    if (end) socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (const bytes of [
    'GET /plain HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET /old HTTP/1.0\r\n\r\n',
    'GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    'HEAD /head HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nPOST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab',
    'GET /nohost HTTP/1.1\r\n\r\n',
    'GET /expect HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    'POST /expect HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /upgrade HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: x\r\n\r\n',
  ]) await send(server, bytes, false);
  for (const bytes of [
    'garbage\r\n\r\n', 'GET /lf HTTP/1.1\nHost: a\n\n', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 'GET / HTTP/3.0\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20000)}\r\n\r\n`,
    `GET /${'y'.repeat(20000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ]) await send(server, bytes, false);
  // A connection that is refused with an answer sees its client go, and its request is told.
  server.on('clientError', (error, socket) => {
    console.log('clientError', error.code);
    socket.on('end', () => console.log('end'));
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    ended = new Promise((resolve) => socket.on('close', resolve));
  });
  let ended;
  for (const bytes of ['garbage\r\n\r\n', 'POST /wait HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n']) {
    await send(server, bytes, false);
    await ended;
  }
  server.close(() => console.log('closed'));
});
