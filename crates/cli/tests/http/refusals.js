// Bytes that are nearly messages: what comes of them, and why they are refused where they are.
const http = require('http');
const net = require('net');

let seed = 11;
const draw = (count) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % count;
};
const pieces = ['GET / HTTP/1.1\r\n', 'POST /a?b=c#d HTTP/1.1\r\n', 'GET http://a@b:1/x HTTP/1.0\r\n', 'PUT /x HTTP/1.1\r\n',
  'Host: a\r\n', 'Host: a\r\n', 'Content-Length: 3\r\n', 'content-length:0\r\n', 'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n', 'Connection: close\r\n', 'Connection: keep-alive, x\r\n', 'A:  b \t c \r\n',
  'A: \xe9\r\n', 'Cookie: a\r\n', 'Set-Cookie: b\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', ' ', 'abc', '3\r\nabc\r\n',
  'a;b="c"\r\n0123456789\r\n', '0\r\n\r\n', '0\r\nA: b\r\n\r\n', 'Expect: x\r\n', ':', '\t', '\0', '\xe9'];
const odd = '\0\t\n\r "#,/:;=@\\\x7f\x80\xffaA05';
function message() {
  let text = draw(3) ? `${pieces[draw(4)]}Host: a\r\n` : '';
  for (let count = draw(8); count > 0; count--) text += pieces[draw(pieces.length)];
  if (draw(2)) text += '\r\n';
  if (draw(3) === 0 && text.length > 0) {
    const at = draw(text.length);
    text = text.slice(0, at) + odd[draw(odd.length)] + text.slice(at + draw(2));
  }
  return text;
}

let log = [];
const server = http.createServer((request, response) => {
  const seen = [request.method, request.url, request.httpVersion, request.rawHeaders];
  let body = '';
  request.on('data', (data) => { body += data.toString('latin1'); });
  request.on('error', () => {});
  request.on('end', () => {
    log.push(JSON.stringify([...seen, body, request.rawTrailers]));
    response.end();
  });
});
server.on('clientError', (error, socket) => {
  log.push([error.code, error.bytesParsed, error.message].join(' '));
  socket.destroy();
});

function send(text) {
  return new Promise((resolve) => {
    log = [];
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.end(text, 'latin1');
    socket.on('close', () => setImmediate(() => {
      console.log(JSON.stringify(text), log.join(' | '));
      resolve();
    }));
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (let count = 0; count < 300; count++) await send(message());
  server.close();
  server.closeAllConnections();
});
