// The server that scripts/compare-http-with-node attacks, on Node and on Hemiola. Prints a line of JSON for
// everything that it was told, with the port of the client that it is about, and of the server that it came to: two
// clients may have the same one while they are with different servers.
'use strict';

const http = require('http');

const tell = (socket, what) => console.log(JSON.stringify({ client: socket.client, ...what }));

function serve(isListening) {
  const options = { keepAliveTimeout: 300, headersTimeout: 2000, requestTimeout: 2000, connectionsCheckingInterval: 500 };
  const server = http.createServer(options, (request, response) => {
    const { socket, method, url, httpVersion, rawHeaders, upgrade } = request;
    const seen = { method, url, httpVersion, rawHeaders, upgrade: upgrade === true };
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    const end = (how) => tell(socket, { ...seen, how, body: Buffer.concat(chunks).toString('latin1'), trailers: request.rawTrailers });
    request.on('end', () => {
      end('whole');
      response.sendDate = false;
      response.end('ok');
    });
    request.on('error', (error) => end(error.code));
  });
  server.on('connection', (socket) => {
    socket.client = `${socket.remotePort} at ${socket.localPort}`;
    tell(socket, { connected: true });
    // What a request is told of its end comes before that.
    socket.on('close', () => setTimeout(tell, 20, socket, { closed: true }));
  });
  if (isListening) {
    server.on('clientError', (error, socket) => {
      tell(socket, { clientError: error.code });
      socket.destroy();
    });
    for (const name of ['checkContinue', 'checkExpectation']) {
      server.on(name, (request, response) => {
        tell(request.socket, { [name]: request.url });
        response.sendDate = false;
        response.end('expected');
      });
    }
  }
  return new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(server.address().port)); });
}

Promise.all([serve(false), serve(true)]).then((ports) => console.log(JSON.stringify({ ports })));
// It ends with whoever started it.
process.stdin.resume().on('end', () => process.exit());
