// A client that asks for another protocol may go on with it at once. Where nobody speaks it, the request is
// served as one of HTTP, and what came with it is no request.
const http = require('http');
const net = require('net');

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => {
    console.log(request.method, request.url, request.upgrade === true, JSON.stringify(body));
    response.sendDate = false;
    response.end(request.url);
  });
});
server.on('clientError', (error, socket) => {
  console.log('clientError', error.code);
  socket.destroy();
});

const asking = 'HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: other\r\n';
const next = 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n';
const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

// The second packet is sent when the answer to the first has come.
function send(name, first, second) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      text += part;
      if (second !== undefined && text.endsWith('/asking')) {
        socket.write(second);
        second = undefined;
      }
    });
    socket.on('error', (error) => console.log('socket', error.code));
    socket.on('close', () => {
      console.log(name, '->', JSON.stringify(text.match(/\r\n\r\n\/\w+/g)));
      resolve();
    });
    socket.write(first);
  });
}

server.listen(0, '127.0.0.1', async () => {
  await send('a request behind it', `GET /asking ${asking}\r\n${next}`, last);
  await send('another protocol behind it', `GET /asking ${asking}\r\n\x01\x02hello`, last);
  await send('a body', `POST /asking ${asking}Content-Length: 3\r\n\r\nabc${next}`, last);
  await send('chunks', `POST /asking ${asking}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n${next}`, last);
  await send('nothing behind it', `GET /asking ${asking}\r\n`, last);
  await send('a wish for nothing', `GET /asking HTTP/1.1\r\nHost: a\r\nUpgrade: other\r\n\r\n${last}`);
  server.on('upgrade', (request, socket, head) => {
    console.log('upgrade', request.url, JSON.stringify(head.toString('latin1')));
    socket.end('HTTP/1.1 101 Other\r\n\r\n/other');
  });
  await send('somebody who takes it', `GET /asking ${asking}\r\n${next}`);
  server.close();
});
