// Ordinary requests over one kept connection, and what programs do to them that is not ordinary: before, while and
// after their response leaves.
const http = require('http');
const net = require('net');

const later = [];
const cases = {
  '/head'(request, response) {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    console.log(response.headersSent, response._header.includes('chunked'), response.statusMessage);
    response.end('head');
    console.log(response.finished, response.writableEnded, response.destroyed, request.complete);
    later.push(() => console.log('then', request.complete, response.socket, response.destroyed, response.closed));
  },
  '/length'(request, response) {
    response.writeHead(200, { 'content-length': 6 });
    response.end('length');
  },
  '/implicit'(request, response) {
    response.end('implicit');
    console.log(response.statusMessage, response.headersSent);
  },
  '/set'(request, response) {
    response.setHeader('X-One', 1);
    response.end(Buffer.from('set'));
  },
  '/no-date'(request, response) {
    response.sendDate = false;
    response.writeHead(200);
    response.end('no date');
    console.log(/Date/.test(response._header));
  },
  '/replaced'(request, response) {
    const { writeHead } = response;
    response.writeHead = function(...args) {
      console.log('asked for', args);
      return Reflect.apply(writeHead, this, args);
    };
    response.end('replaced');
  },
  '/listened'(request, response) {
    response.on('finish', () => console.log('finish')).on('close', () => console.log('close'));
    response.end('listened');
  },
  '/listened-late'(request, response) {
    response.end('late');
    response.on('finish', () => console.log('late finish')).on('close', () => console.log('late close'));
  },
  '/read'(request, response) {
    request.on('end', () => console.log('end of request', request.complete)).resume();
    response.end('read');
  },
  '/asynchronous'(request, response) {
    setImmediate(() => {
      console.log(request.complete, request._dumped);
      response.end('asynchronous');
      console.log(request.url, request.method, request.httpVersion, request.headers.host);
    });
  },
  '/twice'(request, response) {
    response.end('twice');
    response.end((error) => console.log(error.code));
    console.log(response.writableFinished);
  },
  '/write-after'(request, response) {
    response.on('error', (error) => console.log(error.code));
    response.end('written');
    response.write('more');
  },
  '/found'(request, response) {
    response.writeHead(404, 'Gone Fishing', { 'X-Two': ['a', 'b'] });
    response.end();
  },
  '/close'(request, response) {
    response.shouldKeepAlive = false;
    response.end('close');
  },
};

const server = http.createServer((request, response) => cases[request.url](request, response));
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  const left = Object.keys(cases);
  const ask = () => {
    const path = left.shift();
    if (path !== undefined) client.write(`GET ${path} HTTP/1.1\r\nHost: us\r\n\r\n`);
  };
  client.setEncoding('latin1');
  client.on('connect', ask);
  client.on('data', (text) => {
    console.log(text.replace(/Date: .*GMT/, 'Date: now').replaceAll('\r\n', '|'));
    for (const look of later.splice(0)) look();
    setImmediate(() => setImmediate(ask));
  });
  client.on('close', () => {
    console.log('closed');
    throwing();
  });
});

// A response that has left before its listener throws is done with its connection all the same.
function throwing() {
  process.on('uncaughtException', (error) => console.log('uncaught:', error.message));
  server.removeAllListeners('request').on('request', (request, response) => {
    later.push(() => console.log(response.socket === null, response.destroyed));
    response.end('thrown');
    throw new Error('after the end');
  });
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: us\r\n\r\n'));
  client.on('data', () => setImmediate(() => {
    later.pop()();
    client.destroy();
    server.close();
  }));
}
