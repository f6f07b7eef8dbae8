// Whom a side believes, and why not.
'use strict';

const tls = require('tls');
const { ca, identity, read } = require('./common.cjs');

const pems = (names) => [].concat(names).map((name) => read(`${name}.pem`));

/// The key, the certificates that are sent, and those that are trusted.
const servers = [
  ['server', 'server', 'ca'], ['server', 'server', 'other-ca'], ['server', 'server', undefined],
  ['self', 'self', undefined], ['self', 'self', 'self'], ['self', 'self', 'ca'],
  ['deep', 'deep', 'ca'], ['deep', 'chain', 'ca'], ['deep', 'whole-chain', 'ca'], ['deep', 'whole-chain', 'other-ca'],
  ['deep', 'chain', 'other-ca'], ['deep', 'deep', 'middle'], ['deep', 'chain', 'middle'], ['deep', 'deep', ['middle', 'ca']],
  ['deep', ['deep', 'ca', 'middle'], 'ca'], ['deep', ['deep', 'middle', 'expired'], 'ca'], ['deep', 'chain', undefined],
  ['expired', 'expired', 'ca'], ['expired', 'expired', 'other-ca'], ['expired', 'expired', undefined],
  ['self-expired', 'self-expired', undefined], ['self-expired', 'self-expired', 'self-expired'], ['future', 'future', 'ca'],
  ['elsewhere', 'elsewhere', 'ca'], ['nameless', 'nameless', 'ca'], ['server-only', 'server-only', 'ca'], ['client', 'client', 'ca'],
  ['under-leaf', ['under-leaf', 'not-ca'], 'ca'], ['under-leaf', 'under-leaf', ['not-ca', 'ca']], ['under-leaf', 'under-leaf', 'not-ca'],
  ['server', 'server', 'server'], ['deep', 'deep', 'deep'], ['ed', 'ed', 'ca'], ['p384', 'p384', 'ca'],
];
const clients = ['client', 'server-only', 'self', 'expired', 'server', undefined];

function server(key, certificates, authorities) {
  return new Promise((done) => {
    const server = tls.createServer({ key: read(`${key}.key`), cert: Buffer.concat(pems(certificates)) }, (socket) => socket.resume());
    server.listen(0, '127.0.0.1', () => {
      const trusted = authorities && pems(authorities);
      const socket = tls.connect({
        port: server.address().port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false, ca: trusted,
      }, () => {
        const chain = [];
        for (let one = socket.getPeerCertificate(true); one; one = one.issuerCertificate) {
          if (chain.includes(one.subject.CN)) break;
          chain.push(one.subject.CN);
        }
        console.log(key, certificates, authorities, socket.authorized, socket.authorizationError, chain.join(' < '));
        socket.end();
      });
      socket.resume();
      socket.on('close', () => server.close(done));
    });
  });
}

function client(name) {
  return new Promise((done) => {
    const server = tls.createServer({ ...identity('server'), ca, requestCert: true, rejectUnauthorized: false }, (socket) => {
      console.log('a client', name, socket.authorized, socket.authorizationError, socket.getPeerCertificate().subject);
      socket.end();
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, ...(name ? identity(name) : {}) });
      socket.resume();
      socket.on('close', () => server.close(done));
    });
  });
}

(async () => {
  for (const one of servers) await server(...one);
  for (const one of clients) await client(one);
})();
