// packages: ws@8.22.2
import { WebSocketServer, WebSocket, createWebSocketStream } from 'ws';
import http from 'node:http';
import { once } from 'node:events';

const server = http.createServer((request, response) => response.end('plain'));
const sockets = new WebSocketServer({ server, path: '/chat', perMessageDeflate: { threshold: 100 }, handleProtocols: (offered) => [...offered].at(-1) });
sockets.on('connection', (socket, request) => {
  console.log('server: connection', request.url, socket.protocol, socket.extensions);
  socket.on('message', (data, binary) => {
    for (const client of sockets.clients) client.send(binary ? data : `echo ${data}`, { binary });
  });
  socket.on('ping', (data) => console.log('server: ping', data.toString()));
  socket.on('close', (code, reason) => sockets.emit('gone', `server: close ${code} ${reason}`));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `ws://127.0.0.1:${server.address().port}/chat`;

const client = new WebSocket(url, ['v1', 'v2']);
const next = async () => { const [data, binary] = await once(client, 'message'); return [binary ? data : data.toString(), binary]; };
await once(client, 'open');
console.log('client: open', client.protocol, client.readyState);
client.send('hello');
console.log(await next());
client.send(Buffer.from([0, 1, 255]));
console.log(await next());
client.send('ünï'.repeat(50_000));
const [long] = await next();
console.log(long.length, long.slice(0, 12));
client.ping('are you there');
const [pong] = await once(client, 'pong');
console.log('client: pong', pong.toString());

const second = new WebSocket(url);
await once(second, 'open');
const both = Promise.all([next(), once(second, 'message')]);
second.send('to all');
console.log((await both).map((message) => message[0].toString()));

const stream = createWebSocketStream(second, { encoding: 'utf8' });
stream.write('through a stream');
console.log(await Promise.all([once(stream, 'data'), next()]));
const gone = Promise.all([once(second, 'close'), once(sockets, 'gone')]);
stream.end();
console.log((await gone)[1]);

const refused = new WebSocket(url.replace('/chat', '/elsewhere'));
refused.on('open', () => console.log('never'));
const [error] = await once(refused, 'error').catch((caught) => [caught]);
console.log('refused:', error.message);
const headers = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '99' };
const [response] = await once(http.get(url.replace('ws:', 'http:'), { headers }), 'response');
console.log(response.statusCode, response.headers['sec-websocket-version'], (await response.toArray()).join(''));
const bothGone = Promise.all([once(client, 'close'), once(sockets, 'gone')]);
client.close(4001, 'enough');
const [[code, reason], [told]] = await bothGone;
console.log(told, 'client: close', code, reason.toString(), client.readyState);
sockets.close(() => server.close(() => console.log('closed')));
