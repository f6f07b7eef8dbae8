// Clients that are slow or silent, and how long a server puts up with them.
const http = require('http');
const net = require('net');

function serve(options, handler = (request, response) => response.end('ok')) {
  return new Promise((resolve) => {
    const server = http.createServer(options, handler);
    server.on('clientError', (error, socket) => {
      console.log('clientError', error.code, error.message);
      socket.end('HTTP/1.1 408 Mine\r\nConnection: close\r\n\r\n');
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function send(server, text) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(text));
    let all = '';
    socket.on('error', (error) => console.log(error.code));
    socket.on('data', (data) => { all += data; });
    socket.on('close', () => server.close(() => {
      console.log(JSON.stringify(text), '->', JSON.stringify(all.replace(/Date: [^\r]*/g, 'Date: ?')));
      resolve();
    }));
  });
}

(async () => {
  const quick = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };
  await send(await serve(quick), 'GET / HTTP/1.1\r\nHost: a\r\n');
  await send(await serve(quick), 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab');
  await send(await serve({ keepAliveTimeout: 100 }), 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const limited = await serve({}, () => console.log('request, never answered'));
  limited.setTimeout(100);
  await send(limited, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const told = await serve({}, () => {});
  told.setTimeout(100, (socket) => {
    console.log('server timeout');
    socket.destroy();
  });
  await send(told, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await send(await serve({}, (request, response) => {
    request.setTimeout(100, () => {
      console.log('request timeout');
      response.end('late');
    });
  }), 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'.replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n'));
  await send(await serve({}, (request, response) => {
    response.setTimeout(100, () => {
      console.log('response timeout');
      response.end('late');
    });
  }), 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  for (const options of [{ headersTimeout: 300, requestTimeout: 200 }, { requestTimeout: 'x' }, { keepAliveTimeout: -1 },
    { maxHeaderSize: 1.5 }, { requireHostHeader: 1 }, { joinDuplicateHeaders: 1 }, { insecureHTTPParser: 1 },
    { connectionsCheckingInterval: null }, { rejectNonStandardBodyWrites: 0 }]) {
    try {
      http.createServer(options);
      console.log('made');
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  const plain = http.createServer();
  console.log(plain.timeout, plain.headersTimeout, plain.requestTimeout, plain.keepAliveTimeout, plain.maxHeadersCount,
    plain.maxRequestsPerSocket, plain.connectionsCheckingInterval, plain.requireHostHeader, plain.listening);
})();
