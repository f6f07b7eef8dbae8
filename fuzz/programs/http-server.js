// Bytes that a client sends to an HTTP server. It answers with HTTP or not at all, and ends the connection in the end.
'use strict';

const http = require('http');
const net = require('net');
const { each, send, within, wrong } = require('./inputs.js');

const server = http.createServer((request, response) => {
  let size = 0;
  request.on('error', () => {});
  response.on('error', () => {});
  request.on('data', (chunk) => { size += chunk.length; });
  request.on('end', () => {
    const { method, url, headers, rawHeaders, trailers, httpVersion } = request;
    const text = JSON.stringify({ method, url, headers, rawHeaders, trailers, httpVersion, size });
    if (size % 2 === 0) response.setHeader('Content-Length', Buffer.byteLength(text));
    response.write(text);
    if (size % 2 === 1) response.addTrailers({ 'X-Size': String(size) });
    response.end();
  });
});
server.on('checkExpectation', (request, response) => { response.writeHead(417); response.end(); });

// Every other kind of input meets a server that takes connections over.
const taking = http.createServer((request, response) => { request.resume(); response.end('ok'); });
for (const event of ['upgrade', 'connect']) {
  taking.on(event, (request, socket, head) => {
    socket.on('error', () => {});
    socket.end(`HTTP/1.1 101 Taken\r\n\r\n${head.length}`);
  });
}
taking.on('clientError', (error, socket) => {
  if (!(error instanceof Error) || typeof error.code !== 'string') wrong(`clientError without a code: ${error}`);
  socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
});

function attack(port, input) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const answer = [];
    socket.on('data', (chunk) => answer.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(answer)));
    send(socket, input);
    socket.end();
  });
}

server.listen(0, '127.0.0.1', () => taking.listen(0, '127.0.0.1', () => each(async (input) => {
  const { port } = (input.length % 4 === 0 ? taking : server).address();
  const answer = await within(1000, attack(port, input), 'the server ends a connection');
  if (answer.length > 0 && !answer.subarray(0, 7).equals(Buffer.from('HTTP/1.'))) {
    wrong(`an answer that is no HTTP: ${answer.subarray(0, 40)}`);
  }
}).catch((error) => { wrong(error.stack); process.exit(1); })));
