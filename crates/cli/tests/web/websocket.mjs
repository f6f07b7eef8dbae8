// A WebSocket and a server that is written down to the last bit.
// node: --experimental-websocket
import http from 'node:http';
import zlib from 'node:zlib';
import { createHash } from 'node:crypto';

const frame = (first, payload = Buffer.alloc(0)) => {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  const head = Buffer.alloc(length < 65536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 65536 ? 126 : 127;
  if (length < 65536) head.writeUInt16BE(length, 2);
  else head.writeUInt32BE(length, 6);
  return Buffer.concat([head, payload]);
};
const text = (value, first = 0x81) => frame(first, Buffer.from(value));
const close = (code, reason = '') => {
  const payload = Buffer.alloc(code === undefined ? 0 : 2);
  if (code !== undefined) payload.writeUInt16BE(code);
  return frame(0x88, Buffer.concat([payload, Buffer.from(reason)]));
};

// Gives the frames of a client to a handler, unmasked.
function receive(socket, handle) {
  let rest = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < 6) return;
      let length = rest[1] & 127;
      let at = 2;
      if (length === 126) [length, at] = [rest.readUInt16BE(2), 4];
      else if (length === 127) [length, at] = [rest.readUInt32BE(6), 10];
      if (rest.length < at + 4 + length) return;
      const key = rest.subarray(at, at + 4);
      const payload = Buffer.from(rest.subarray(at + 4, at + 4 + length)).map((byte, i) => byte ^ key[i % 4]);
      const [first, second] = rest;
      rest = rest.subarray(at + 4 + length);
      handle(first, payload, (second & 128) !== 0);
    }
  });
}

let serve;
const server = http.createServer((request, response) => response.writeHead(404).end('no socket here'));
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  serve(socket, request, (more = '', sum = accept) => socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${sum}\r\n${more}\r\n`));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `ws://127.0.0.1:${server.address().port}`;

// Runs one connection to its end.
function run(label, handler, client, protocols) {
  return new Promise((resolve) => {
    const lines = [];
    const log = (...words) => lines.push(words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '));
    let left = 2;
    const done = () => { if (--left === 0) { console.log(`${label}:\n  ${lines.sort().join('\n  ')}`); resolve(); } };
    serve = (socket, request, accept) => {
      socket.on('close', done);
      handler(socket, accept, (...words) => log('server:', ...words), request);
    };
    const socket = new WebSocket(`${base}/path?query`, protocols);
    socket.addEventListener('open', () => log('open', socket.readyState, socket.protocol, socket.extensions, socket.bufferedAmount));
    socket.onmessage = (event) => log('message', typeof event.data, event.data instanceof ArrayBuffer ? [...new Uint8Array(event.data).slice(0, 9)] : event.data.size ?? event.data.slice(0, 20), event.origin === base, event.constructor.name);
    socket.onerror = (event) => log('error', event.message, event.error.message, event.type);
    socket.onclose = (event) => { log('close', event.code, event.reason, event.wasClean, socket.readyState, event.constructor.name); done(); };
    client?.(socket, log);
  });
}
// A server that sends something when a client is there, and answers its closing.
const send = (...frames) => (socket, accept, log) => {
  receive(socket, (first, payload) => {
    log(first.toString(16), [...payload.subarray(0, 20)]);
    if ((first & 15) === 8) socket.end(frame(0x88, payload));
  });
  accept();
  for (const bytes of frames) socket.write(bytes);
};
const opened = (action) => (socket, log) => socket.addEventListener('open', () => action(socket, log));
const answered = (action, count = 1) => (socket, log) => socket.addEventListener('message', () => { if (--count === 0) action(socket, log); });

await run('request', (socket, accept, log, request) => {
  log(request.method, request.url, request.rawHeaders.filter((_, i) => i % 2 === 0).join());
  log(request.headers.upgrade, request.headers.connection, request.headers['sec-websocket-version'], request.headers['sec-websocket-extensions']);
  log(request.headers['sec-websocket-protocol'], Buffer.from(request.headers['sec-websocket-key'], 'base64').length);
  send(close(1000, 'enough'))(socket, () => accept('Sec-WebSocket-Protocol: two\r\n'), log);
}, undefined, ['one', 'two']);
await run('close by the client', send(), opened((socket) => socket.close()));
await run('close with code', send(), opened((socket) => socket.close(3000, 'grüße')));
await run('close by the server', send(close(4001, 'bye')));
await run('close without code', send(close()));
await run('close at once with the handshake', (socket, accept, log) => {
  receive(socket, (first, payload) => log(first.toString(16), [...payload]));
  socket.cork();
  accept();
  socket.write(text('early'));
  socket.end(close(1000));
  socket.uncork();
});
await run('no close', (socket, accept) => { accept(); socket.end(); });
await run('text', send(text('héllo'), text('')), answered((socket) => socket.close(), 2));
await run('binary', send(frame(0x82, Buffer.from([1, 2, 3]))), answered((socket) => socket.close()));
await run('array buffer', send(frame(0x82, Buffer.from([1, 2, 3]))), (socket, log) => {
  socket.binaryType = 'arraybuffer';
  answered(() => socket.close())(socket, log);
});
for (const size of [125, 126, 65535, 65536, 300_000]) {
  await run(`size ${size}`, send(frame(0x82, Buffer.alloc(size, 7))), answered((socket) => socket.close()));
  await run(`sent ${size}`, (socket, accept, log) => {
    receive(socket, (first, payload, masked) => {
      if ((first & 15) === 8) return socket.end(frame(0x88, payload));
      log(first.toString(16), payload.length, payload.every((byte) => byte === 7), masked);
      socket.write(text('got it'));
    });
    accept();
  }, (socket, log) => {
    opened(() => { socket.send(Buffer.alloc(size, 7)); log(socket.bufferedAmount); })(socket, log);
    answered(() => { log(socket.bufferedAmount); socket.close(); })(socket, log);
  });
}
await run('fragments', send(text('one ', 0x01), frame(0x89, Buffer.from('ping')), text('two ', 0x00), text('three', 0x80)), answered((socket) => socket.close()));
await run('byte by byte', (socket, accept, log) => {
  receive(socket, (first, payload) => { if ((first & 15) === 8) socket.end(frame(0x88, payload)); });
  accept();
  socket.setNoDelay(true);
  const bytes = Buffer.concat([text('slow'), frame(0x8a, Buffer.from('pong')), text('ly', 0x01), text('!', 0x80)]);
  let at = 0;
  const step = () => { if (at < bytes.length) socket.write(bytes.subarray(at, ++at), () => setImmediate(step)); };
  step();
}, answered((socket) => socket.close(), 2));
await run('all kinds', send(), opened((socket) => {
  for (const data of ['text', new Uint8Array([1, 2]), new Uint8Array([1, 2, 3]).buffer, new DataView(new ArrayBuffer(4), 1), new Blob(['blob']), 5, null, { toString: () => 'object' }, '\ud800']) socket.send(data);
  socket.close();
  socket.send('too late');
}));
for (const [label, bytes] of Object.entries({
  'bad text': frame(0x81, Buffer.from([0xff])), 'bad text in fragments': Buffer.concat([frame(0x01, Buffer.from([0xe2, 0x82])), frame(0x80, Buffer.from([0x28]))]),
  masked: Buffer.from([0x81, 0x81, 0, 0, 0, 0, 65]), reserved: text('x', 0xc1), 'more reserved': text('x', 0xa1), opcode: text('x', 0x83), 'control opcode': text('x', 0x8b),
  'long ping': frame(0x89, Buffer.alloc(126)), 'fragment of nothing': text('x', 0x80), 'no continuation': Buffer.concat([text('x', 0x01), text('y')]),
})) await run(label, send(bytes));
await run('text in two halves', send(frame(0x01, Buffer.from([0xe2, 0x82])), frame(0x80, Buffer.from([0xac]))), answered((socket) => socket.close()));
{
  // Compressed messages, of which the second refers to the first.
  const deflate = zlib.createDeflateRaw();
  const compress = (value) => new Promise((resolve) => {
    deflate.once('data', (data) => resolve(data.subarray(0, -4)));
    deflate.write(value);
    deflate.flush(zlib.constants.Z_SYNC_FLUSH);
  });
  const first = await compress('again and again and again');
  const second = await compress('again and again and again');
  await run('compressed', (socket, accept, log) => send(frame(0xc1, first), frame(0xc1, second), text('plain'))(socket, () => accept('Sec-WebSocket-Extensions: permessage-deflate\r\n'), log),
            answered((socket) => socket.close(), 3));
}
server.close();
server.closeAllConnections();
