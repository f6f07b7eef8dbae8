// Requests and responses of the usual kinds, over one connection after the other.
const http = require('http');

const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    console.log('server', request.method, request.url, request.httpVersion, JSON.stringify(body), request.complete);
    switch (request.url) {
      case '/string': response.end('text'); break;
      case '/buffer': response.end(Buffer.from('bytes')); break;
      case '/nothing': response.end(); break;
      case '/parts': response.write('a'); response.write(Buffer.from('b')); response.end('c'); break;
      case '/length': response.setHeader('Content-Length', 3); response.write('a'); response.write('b'); response.end('c'); break;
      case '/head': response.writeHead(201, 'Made', { 'X-A': 'b', 'X-List': ['c', 'd'] }); response.end('x'); break;
      case '/list': response.writeHead(200, ['X-A', '1', 'x-a', '2', 'Set-Cookie', 'a', 'Set-Cookie', 'b']); response.end(); break;
      case '/204': response.statusCode = 204; response.end('lost'); break;
      case '/304': response.writeHead(304, { 'Content-Length': 10 }); response.end(); break;
      case '/unicode': response.end('grüße ☃'); break;
      case '/latin1': response.end('\xe9\xe8', 'latin1'); break;
      case '/base64': response.end('aGVsbG8=', 'base64'); break;
      case '/hex': response.write('6869', 'hex'); response.end(); break;
      case '/trailers':
        response.setHeader('Trailer', 'X-T');
        response.write('t');
        response.addTrailers({ 'X-T': 'end', 'X-U': ['a', 'b'] });
        response.end();
        break;
      case '/echo': response.end(body.toUpperCase()); break;
      default: response.statusCode = 404; response.statusMessage = 'Nope'; response.end('?');
    }
  });
});

function ask(options, body) {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: server.address().port, agent: false, ...options }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const { date, ...headers } = response.headers;
        console.log(response.statusCode, response.statusMessage, JSON.stringify(headers), typeof date);
        console.log('  ', JSON.stringify(Buffer.concat(parts).toString('latin1')), JSON.stringify(response.trailers), response.complete);
        resolve();
      });
    });
    request.on('error', reject);
    if (typeof body === 'function') body(request);
    else request.end(body);
  });
}

server.listen(0, async () => {
  for (const path of ['/string', '/buffer', '/nothing', '/parts', '/length', '/head', '/list', '/204', '/304', '/unicode',
    '/latin1', '/base64', '/hex', '/trailers', '/other?x=1']) {
    await ask({ path });
  }
  await ask({ path: '/string', method: 'HEAD' });
  await ask({ path: '/parts', method: 'HEAD' });
  await ask({ path: '/echo', method: 'POST' }, 'posted');
  await ask({ path: '/echo', method: 'PUT', headers: { 'Content-Length': 3 } }, 'put');
  await ask({ path: '/echo', method: 'POST' }, (request) => { request.write('in '); request.write('parts'); request.end(); });
  await ask({ path: '/echo', method: 'DELETE' }, (request) => { request.end('why'); });
  await ask({ path: '/echo', method: 'PATCH', headers: { Expect: '100-continue' } }, (request) => {
    request.on('continue', () => { console.log('continue'); request.end('at last'); });
  });
  await ask({ path: '/echo', method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } }, 'chunked');
  await ask({ path: '/string', headers: { connection: 'close', 'X-Many': ['1', '2'] } });
  await ask({ path: '/string', headers: ['Host', 'a', 'X', 'y'] });
  await ask({ path: '/string', auth: 'user:pass' });
  server.close(() => console.log('closed'));
});
