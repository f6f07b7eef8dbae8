// Bytes that a server sends to an HTTP client and to `fetch`. Both end, with a response or an error.
'use strict';

const http = require('http');
const net = require('net');
const { each, send, within, wrong } = require('./inputs.js');

let reply = Buffer.alloc(0);
const server = net.createServer((socket) => {
  let seen = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    seen += chunk.toString('latin1');
    if (!seen.includes('\r\n\r\n')) return;
    seen = '';
    send(socket, reply);
    socket.end();
  });
});

const agent = new http.Agent({ keepAlive: true });

function ask(port, input) {
  return new Promise((resolve) => {
    const method = input.length % 5 === 0 ? 'HEAD' : 'GET';
    const request = http.request({ port, host: '127.0.0.1', method, agent: input.length % 2 === 0 ? agent : undefined });
    request.on('error', (error) => {
      if (typeof error.code !== 'string') wrong(`an error without a code: ${error.stack}`);
    });
    request.on('upgrade', (response, socket) => socket.destroy());
    request.on('connect', (response, socket) => socket.destroy());
    request.on('response', (response) => {
      response.on('error', () => {});
      response.resume();
      JSON.stringify([response.headers, response.rawHeaders, response.statusMessage, response.trailers]);
    });
    request.on('close', resolve);
    request.end();
  });
}

async function get(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/a/b?c`);
    await response.arrayBuffer();
  } catch (error) {
    if (!(error instanceof TypeError)) wrong(`fetch fails otherwise than with a TypeError: ${error?.stack ?? error}`);
  }
}

server.listen(0, '127.0.0.1', () => each(async (input) => {
  reply = input;
  const { port } = server.address();
  const how = input.length % 3 === 0 ? get(port) : ask(port, input);
  await within(1000, how, 'a client is done');
}).catch((error) => { wrong(error.stack); process.exit(1); }));
