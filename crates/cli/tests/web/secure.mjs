// fetch and WebSocket over TLS.
// node: --experimental-websocket
import https from 'node:https';
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';

const file = (name) => readFileSync(new URL(`../tls/certificates/${name}`, import.meta.url));
const server = https.createServer({ key: file('server.key'), cert: file('server.pem') }, (request, response) => {
  if (request.url === '/away') return response.writeHead(302, { location: '/there' }).end();
  response.end(JSON.stringify([request.url, ...request.rawHeaders.slice(2)]));
});
server.on('upgrade', ({ headers }, socket) => {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(`HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  socket.write(Buffer.from([0x81, 2, 104, 105]));
  socket.on('data', () => socket.end(Buffer.from([0x88, 0])));
});
server.on('tlsClientError', () => {});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();
const show = async (url) => {
  try {
    const response = await fetch(url);
    console.log(response.status, response.redirected, response.url.replace(port, 'PORT'), await response.text());
  } catch ({ message, cause }) {
    console.log(message, cause.name, cause.code, cause.message);
  }
};
for (const host of ['127.0.0.1', 'localhost']) await show(`https://${host}:${port}/`);
await show(`http://127.0.0.1:${port}/`);
// It warns.
process.removeAllListeners('warning');
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
for (const host of ['127.0.0.1', 'localhost']) await show(`https://${host}:${port}/away`);
await new Promise((resolve) => {
  const socket = new WebSocket(`wss://localhost:${port}/`);
  socket.onmessage = ({ data, origin }) => {
    console.log(data, origin.replace(port, 'PORT'));
    socket.close();
  };
  socket.onerror = ({ message }) => console.log(message);
  socket.onclose = ({ code, wasClean }) => resolve(console.log(code, wasClean));
});
server.close();
server.closeAllConnections();
