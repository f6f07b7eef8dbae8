// Who talks nonsense is told so for every piece of it; what is pushed into a socket, listens to it or stops it
// is seen by the parser.
const http = require('http');
const net = require('net');

const say = (...words) => console.log(...words);

/// Talks to a server in turns: the next piece goes when `next` is called.
function talk(server, pieces, done) {
  server.listen(0, '127.0.0.1', () => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.setEncoding('latin1');
    let heard = '';
    socket.on('data', (text) => { heard += text; });
    socket.on('close', () => {
      if (heard !== '') say(JSON.stringify(heard));
      server.close(done);
    });
    server.next = () => (pieces.length > 0 ? socket.write(pieces.shift()) : socket.end());
    server.next();
  });
}

function nonsense(done) {
  const server = http.createServer(() => say('no request'));
  server.on('clientError', ({ code, reason, bytesParsed, rawPacket }, socket) => {
    say(code, reason, bytesParsed, JSON.stringify(String(rawPacket)), socket.listenerCount('error'));
    server.next();
  });
  talk(server, ['*', 'GET / HTTP/1.1\r\n', '\r\nabc'], done);
}

function pushed(done) {
  const server = http.createServer((request, response) => {
    response.sendDate = false;
    response.setHeader('Connection', 'close');
    response.end(`pushed ${request.url}`);
  });
  server.on('connection', (socket) => {
    say(socket.readableFlowing, socket.listenerCount('data'));
    socket.push('GET /p HTTP/1.1\r\nHost: a\r\n\r\n');
  });
  talk(server, [''], done);
}

function overheard(done) {
  const server = http.createServer((request, response) => {
    say('listeners', request.socket.listenerCount('data'));
    request.socket.once('data', (bytes) => say('heard', String(bytes)));
    response.sendDate = false;
    response.setHeader('Connection', 'close');
    request.on('data', (bytes) => say('body', String(bytes)));
    request.on('end', () => response.end('thanks'));
    server.next();
  });
  talk(server, ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n', 'abc'], done);
}

// A request that was stopped before its first byte is not wanted once the response has left.
function unwanted(done) {
  const server = http.createServer((request, response) => {
    request.pause();
    request.on('data', () => say('not for us'));
    request.on('resume', () => say('resumed', request.listenerCount('data')));
    request.on('close', () => say('request closed'));
    response.sendDate = false;
    response.end('early');
  });
  talk(server, ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc'], done);
}

// Listeners that come after the end of a response are told all the same.
function late(done) {
  const server = http.createServer((request, response) => {
    response.sendDate = false;
    response.end('x');
    response.on('finish', () => say('finish'));
    response.on('close', () => say('close', response.destroyed));
  });
  talk(server, ['GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'], done);
}

nonsense(() => pushed(() => overheard(() => unwanted(() => late()))));
