// Small print: lengths that are held to, requests that are paused, connections that others make.
const http = require('http');
const net = require('net');

process.removeAllListeners('warning').on('warning', ({ name, code, message }) => console.log(name, code, message));
const told = (f) => {
  try {
    f();
    console.log('fine');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

const server = http.createServer((request, response) => {
  if (request.url === '/length') {
    response.strictContentLength = true;
    response.setHeader('Content-Length', 5);
    response.write('hello');
    told(() => response.write('a'));
    response.end();
  } else if (request.url === '/paused') {
    request.once('data', () => {
      request.pause();
      response.end('paused');
      response.on('finish', () => {
        console.log('given up', request._dumped);
        request.resume();
      });
    });
  } else {
    for (const status of [{}, [], null, '404 x', NaN]) told(() => response.writeHead(status));
    response.end('ok');
  }
});
server.on('connection', (socket) => { if (!server.said) told(() => socket.setEncoding('utf8')), (server.said = true); });

const ask = (options, body) => new Promise((resolve) => {
  http.request({ port: server.address().port, ...options }, async (response) => {
    let text = '';
    for await (const chunk of response) text += chunk;
    resolve(console.log(options.path ?? '-', response.statusCode, text));
  }).end(body);
});

function closesAlone() {
  return new Promise((resolve) => {
    const createConnection = () => {
      const socket = new net.Socket();
      process.nextTick(() => socket.destroy(new Error('Oops')));
      return socket;
    };
    const request = http.get({ createConnection });
    request.on('error', (error) => console.log(error.message));
    request.on('close', () => resolve(console.log('closed', request.destroyed)));
    request.abort();
  });
}

const message = new http.OutgoingMessage();
message.setHeader('Key', 'value');
console.log(message._headerNames);
const bare = new http.OutgoingMessage();
bare._implicitHeader = () => {};
bare.write('asd');
console.log(bare.writableLength);
http.setMaxIdleHTTPParsers(7);

server.listen(0, async () => {
  await ask({ path: '/length' });
  await ask({ path: '/paused', method: 'POST' }, Buffer.alloc(100));
  await ask({ createConnection: (options, callback) => net.connect(options, callback) });
  await ask({ path: '/', createConnection: (...args) => net.connect(...args) });
  await closesAlone();
  server.close();
  server.closeAllConnections();
});
