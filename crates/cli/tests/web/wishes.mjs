// What is said of a body that is not there, connections that are to be closed, and properties of all objects.
import { createServer } from 'node:http';
import { createServer as createPlain } from 'node:net';
import { once } from 'node:events';

const server = createServer((request, response) => response.end(`${request.method} ${request.headers['content-length']}`));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;

const said = (error) => `${error.message}: ${error.cause?.message}`;
for (const [method, length, body] of [
  ['GET', '42'], ['GET', '-1'], ['GET', 'x'], ['HEAD', '5'], ['DELETE', '4'], ['POST', '4'], ['OPTIONS', '0'],
  ['POST', '4', 'abc'], ['POST', '3', 'abc'], ['PUT', '3', ''],
]) {
  const sent = fetch(base, { method, body, headers: { 'content-length': length } });
  console.log(method, length, body, await sent.then((response) => response.text()).catch(said));
}

// A server that closes the connections which are to be closed, without saying so in its answer.
let connections = 0;
const closing = createPlain((socket) => {
  const number = ++connections;
  socket.on('data', (data) => {
    const [line, ...fields] = data.toString('latin1').split('\r\n');
    const isLast = fields.some((field) => /^connection: close$/i.test(field));
    console.log('connection', number, line, isLast);
    socket.write(line.includes('/moved') ? 'HTTP/1.1 302 X\r\nlocation: /there\r\ncontent-length: 0\r\n\r\n' : 'HTTP/1.1 200 X\r\ncontent-length: 0\r\n\r\n');
    if (isLast) socket.end();
  });
});
closing.listen(0, '127.0.0.1');
await once(closing, 'listening');
const there = `http://127.0.0.1:${closing.address().port}`;
for (const [path, init] of [['/moved', { method: 'HEAD' }], ['/a', { headers: { connection: 'close' } }], ['/b', {}]]) {
  const response = await fetch(there + path, init);
  console.log(response.status, await response.text());
}
closing.close();

for (const name of ['type', 'size']) {
  for (const property of [{ get() { throw new Error(name); } }, { value: -1, writable: true }]) {
    Object.defineProperty(Object.prototype, name, { ...property, configurable: true });
    const sent = fetch(base);
    const stream = new Blob(['abc']).stream();
    const response = await sent.catch(said);
    delete Object.prototype[name];
    console.log(name, await response.text?.() ?? response, (await stream.getReader().read()).value.byteLength);
  }
}
server.close();
server.closeAllConnections();
process.exit();
