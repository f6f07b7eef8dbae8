// Connections that go on with another protocol, and requests that are answered before the program sees them.
const http = require('http');
const net = require('net');

const server = http.createServer({ maxRequestsPerSocket: 2 }, (request, response) => {
  console.log('request', request.url);
  response.end(request.url);
});
server.on('upgrade', (request, socket, head) => {
  console.log('upgrade', request.url, request.headers.upgrade, String(head), socket.listenerCount('data'), request.upgrade);
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n');
  if (head.length > 0) socket.write(head);
  socket.on('data', (data) => socket.write(String(data).toUpperCase()));
  socket.on('end', () => socket.end());
});
server.on('connect', (request, socket, head) => {
  console.log('connect', request.url, String(head));
  socket.end('HTTP/1.1 200 Connected\r\n\r\nhello from there');
});
server.on('checkContinue', (request, response) => {
  console.log('checkContinue', request.headers.expect);
  if (request.url === '/no') {
    response.writeHead(403);
    response.end();
  } else {
    response.writeContinue();
    response.writeProcessing();
    response.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-hint': '1' });
    request.resume();
    request.on('end', () => response.end('thanks'));
  }
});
server.on('checkExpectation', (request, response) => {
  console.log('checkExpectation', request.headers.expect);
  response.statusCode = 418;
  response.end();
});
server.on('dropRequest', (request) => console.log('dropRequest', request.url));

function raw(text) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(text));
    let all = '';
    socket.on('data', (data) => { all += data; });
    socket.on('close', () => {
      console.log(JSON.stringify(all.replace(/Date: [^\r]*/g, 'Date: ?')));
      resolve();
    });
  });
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', path: '/echo', headers: { Connection: 'Upgrade', Upgrade: 'echo' } });
    request.on('response', () => console.log('no response expected'));
    request.on('close', () => console.log('request close', request.destroyed, request.upgradeOrConnect));
    request.on('upgrade', (response, socket, head) => {
      console.log('upgraded', response.statusCode, response.headers.upgrade, head.length, socket._httpMessage, response.upgrade);
      socket.write('ping');
      socket.once('data', (data) => {
        console.log('data', String(data));
        socket.end();
        socket.on('close', resolve);
      });
    });
    request.end();
  });
  await new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', path: 'other:1', method: 'CONNECT' });
    request.on('connect', (response, socket, head) => {
      let text = String(head);
      console.log('connected', response.statusCode, response.statusMessage);
      socket.on('data', (data) => { text += data; });
      socket.on('end', () => console.log('text', text));
      socket.on('close', resolve);
    });
    request.end();
  });
  for (const [path, expect] of [['/yes', '100-continue'], ['/no', '100-continue'], ['/odd', 'wonders']]) {
    await new Promise((resolve) => {
      const request = http.request({ port, host: '127.0.0.1', path, method: 'POST', agent: false, headers: { expect } }, (response) => {
        console.log('response', response.statusCode);
        response.resume();
        response.on('close', resolve);
        request.end();
      });
      request.on('continue', () => { console.log('continue'); request.end('body'); });
      request.on('information', (info) => console.log('information', info.statusCode, info.headers));
      request.on('error', (error) => console.log(error.code));
    });
  }
  await raw('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  server.close(() => console.log('closed'));
}).on('close', () => {});
