// What diagnostics channels tell of: connections, servers, requests of both clients, and their failures.
const channels = require('diagnostics_channel');
const http = require('http');
const net = require('net');
const names = [
  'http.client.request.start', 'http.client.request.error', 'http.client.response.finish', 'http.server.request.start',
  'http.server.response.finish', 'net.client.socket', 'net.server.socket', 'tracing:net.server.listen:asyncStart',
  'tracing:net.server.listen:asyncEnd', 'tracing:net.server.listen:error', 'undici:request:create', 'undici:request:bodySent',
  'undici:request:headers', 'undici:request:trailers', 'undici:request:error', 'undici:client:sendHeaders', 'undici:client:beforeConnect',
  'undici:client:connected', 'undici:client:connectError', 'udp.socket',
];
let told = [];
for (const name of names) channels.subscribe(name, (message) => told.push(`${name} ${Object.keys(message).sort()}`));
const once = (target, name) => new Promise((resolve) => target.once(name, resolve));
// Both ends of a connection tell, in no order between them.
const show = (title) => {
  console.log(title);
  for (const line of told.sort()) console.log(' ', line);
  told = [];
};
const until = async (count) => {
  while (told.length < count) await new Promise(setImmediate);
};

(async () => {
  const server = http.createServer((request, response) => response.end('x')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => http.get({ port, host: '127.0.0.1', agent: false }, (response) => response.resume().on('end', resolve)));
  await until(8);
  show('a request');
  const url = `http://127.0.0.1:${port}/`;
  await (await fetch(url)).text();
  await until(11);
  show('fetch');
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await once(http.get({ port, host: '127.0.0.1', agent: false }), 'error');
  await until(3);
  show('a request that fails');
  await fetch(url).catch(() => {});
  await until(5);
  show('fetch that fails');
  const first = net.createServer().listen(0, '127.0.0.1');
  await once(first, 'listening');
  const second = net.createServer();
  second.listen(first.address().port, '127.0.0.1');
  await once(second, 'error');
  first.close();
  show('two servers, one port');
  require('dgram').createSocket('udp4').close();
  show('a socket for datagrams');
})();
