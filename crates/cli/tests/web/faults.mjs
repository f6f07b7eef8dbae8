// Servers that misbehave, and requests that are given up.
import net from 'node:net';
import http from 'node:http';

const listen = (handler) => new Promise((resolve) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    handler(socket);
  });
  server.listen(0, '127.0.0.1', () => resolve([server, `http://127.0.0.1:${server.address().port}/`]));
});
const explain = (error) => {
  const lines = [];
  for (let at = error; at; at = at.cause) lines.push(`${at.constructor.name} ${at.name} ${at.code} ${String(at.message)}`);
  return lines.join(' <- ');
};
async function answer(label, text, options = {}, how = 'end') {
  const [server, url] = await listen((socket) => socket.once('data', () => {
    if (how === 'reset') socket.resetAndDestroy();
    else if (how === 'open') socket.write(text, 'latin1');
    else socket.end(text, 'latin1');
  }));
  try {
    const response = await fetch(url, options);
    console.log(label, response.status, response.statusText, [...response.headers]);
    console.log(label, JSON.stringify(await response.text()));
  } catch (error) {
    console.log(label, explain(error));
  }
  server.close();
}
await answer('nothing', '');
await answer('reset', '', {}, 'reset');
await answer('garbage', 'garbage\r\n\r\n');
await answer('half a head', 'HTTP/1.1 200 OK\r\nfoo: b');
await answer('short body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
await answer('short chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n');
await answer('bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n');
await answer('until the end', 'HTTP/1.1 200 OK\r\n\r\nabc');
await answer('older', 'HTTP/1.0 200 OK\r\ncontent-length: 3\r\n\r\nabc');
await answer('no content', 'HTTP/1.1 204 No Content\r\nx: \xe9\r\n\r\n');
await answer('continue', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc');
await answer('early hints', 'HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc');
await answer('upgrade', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc');
await answer('upgrade to nothing', 'HTTP/1.1 101 Switching\r\n\r\n');
await answer('proxy', 'HTTP/1.1 407 X\r\ncontent-length: 0\r\n\r\n');
await answer('unauthorized', 'HTTP/1.1 401 X\r\ncontent-length: 0\r\n\r\n');
await answer('misdirected', 'HTTP/1.1 421 X\r\ncontent-length: 0\r\n\r\n');
await answer('unknown status', 'HTTP/1.1 700 X\r\ncontent-length: 0\r\n\r\n');
await answer('two lengths', 'HTTP/1.1 200 X\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nhi');
await answer('large head', `HTTP/1.1 200 X\r\nx: ${'a'.repeat(20000)}\r\ncontent-length: 2\r\n\r\nhi`);
await answer('bad gzip', 'HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nhi');
await answer('stream that fails', 'HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\nhi', {
  method: 'POST', duplex: 'half', body: new ReadableStream({ pull(controller) { controller.error(new RangeError('bang')); } }),
});

// Given up: before, while waiting, while reading, after all.
await answer('aborted', '', { signal: AbortSignal.abort() });
await answer('aborted, with a reason', '', { signal: AbortSignal.abort(new RangeError('why')) });
await answer('timeout', '', { signal: AbortSignal.timeout(20) }, 'open');
await answer('timeout while reading', 'HTTP/1.1 200 X\r\ncontent-length: 5\r\n\r\nhi', { signal: AbortSignal.timeout(200) }, 'open');
{
  const closed = [];
  const [server, url] = await listen((socket) => {
    socket.on('close', () => closed.push('closed'));
    socket.once('data', () => socket.write('HTTP/1.1 200 X\r\ncontent-length: 5\r\n\r\nhi'));
  });
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  const reading = response.text();
  controller.abort(new RangeError('enough'));
  console.log(await reading.catch(explain), response.bodyUsed);
  const late = await fetch(url, { signal: AbortSignal.any([new AbortController().signal]) });
  await late.body.cancel();
  const again = new AbortController();
  const body = new ReadableStream({ pull() { return new Promise(() => {}); }, cancel(reason) { console.log('cancelled', reason.message); } });
  const sending = fetch(url, { method: 'POST', body, duplex: 'half', signal: again.signal });
  again.abort(new RangeError('not this'));
  console.log(await sending.catch(explain));
  await new Promise((resolve) => server.close(resolve));
  console.log(closed.join());
}
for (const url of ['http://127.0.0.1:4/', 'http://[::1]:6/', 'http://127.0.0.1:0/', 'http://127.0.0.1:6000/']) console.log(url, await fetch(url).catch(explain));

// A connection is kept, and left when the server says so.
let connections = 0;
const server = http.createServer((request, response) => {
  if (request.url === '/close') response.setHeader('connection', 'close');
  response.end('ok');
}).on('connection', () => connections++);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;
for (const path of ['/', '/', '/', '/close', '/', '/']) await (await fetch(base + path)).text();
console.log(connections < 4);
// Nobody reads these.
console.log((await fetch(base)).status, (await fetch(base, { method: 'HEAD' })).status);
server.close(() => console.log('the server ends, since nobody waits'));
