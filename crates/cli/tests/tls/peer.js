// One side of a connection with somebody else: `server PORTFILE COUNT` or `client PORT`.
'use strict';

const fs = require('fs');
const https = require('https');
const tls = require('tls');
const { ca, identity, shown } = require('./common.cjs');

const [, , role, where, count] = process.argv;

if (role === 'server') {
  // Answers so many connections; what comes is sent back in capitals.
  let left = Number(count);
  const server = tls.createServer({ ...identity('server'), ca, requestCert: true, rejectUnauthorized: false, ALPNProtocols: ['echo'] }, (socket) => {
    console.log(socket.getProtocol(), socket.alpnProtocol, socket.servername, socket.authorized, socket.getPeerCertificate().subject?.CN);
    socket.setEncoding('utf8').on('data', (text) => {
      console.log(text.trim());
      socket.end(`${text.toUpperCase()}`);
    });
    socket.on('close', () => {
      if (--left === 0) server.close();
    });
  });
  server.on('tlsClientError', (error) => console.log('tlsClientError', error.code));
  server.listen(0, '127.0.0.1', () => {
    fs.writeFileSync(`${where}.new`, `${server.address().port}`);
    fs.renameSync(`${where}.new`, where);
  });
} else if (role === 'https') {
  const server = https.createServer(identity('server'), (request, response) => {
    let body = '';
    request.on('data', (data) => { body += data; });
    request.on('end', () => response.end(`${request.method} ${request.url} ${body.length}`));
    if (request.url === '/end') response.on('finish', () => server.close());
  });
  server.listen(0, '127.0.0.1', () => {
    fs.writeFileSync(`${where}.new`, `${server.address().port}`);
    fs.renameSync(`${where}.new`, where);
  });
} else if (role === 'request') {
  const ask = (path, method, body) => new Promise((done) => {
    https.request({ port: where, host: '127.0.0.1', ca, path, method }, (response) => {
      let text = '';
      response.on('data', (data) => { text += data; });
      response.on('end', () => {
        console.log(response.statusCode, text);
        setImmediate(done);
      });
    }).end(body);
  });
  ask('/', 'GET').then(() => ask('/much', 'POST', 'x'.repeat(300_000))).then(() => ask('/end', 'GET'));
} else {
  const talk = (options) => new Promise((done) => {
    const socket = tls.connect({ port: where, host: '127.0.0.1', ca, servername: 'localhost', ALPNProtocols: ['other', 'echo'], ...options }, () => {
      console.log(socket.authorized, socket.getProtocol(), socket.getCipher().name, socket.alpnProtocol, socket.getPeerCertificate().subject.CN);
      socket.write('hello\n');
    });
    socket.setEncoding('utf8').on('data', (text) => console.log(text.trim()));
    socket.on('error', (error) => console.log(shown(error)));
    socket.on('close', done);
  });
  talk({}).then(() => talk({ maxVersion: 'TLSv1.2', ...identity('client') })).then(() => talk({ servername: 'elsewhere.example', checkServerIdentity: () => undefined }));
}
