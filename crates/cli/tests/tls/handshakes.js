// Handshakes that succeed, and those that fail: who hears what.
'use strict';

const { ca, identity, meet, read, scenarios } = require('./common.cjs');

const wait = () => {};

scenarios({
  'all is well': meet({}, { servername: 'localhost' }),
  'a talk': meet({}, {}, {
    server: (socket) => socket.once('data', () => socket.end('and goodbye')),
    client: (socket) => socket.write('hello'),
  }),
  'garbage': meet({}, {}, { raw: (socket) => socket.write('hello world, this is no handshake\r\n') }),
  'a request of http': meet({}, {}, { raw: (socket) => socket.write('GET / HTTP/1.1\r\n\r\n') }),
  'bytes without sense': meet({}, {}, { raw: (socket) => socket.write(Buffer.alloc(100, 7)) }),
  'a handshake that is too short': meet({}, {}, { raw: (socket) => socket.write(Buffer.from('160301000501000001ff', 'hex')) }),
  'gone at once': meet({}, {}, { raw: (socket) => socket.end() }),
  'silence': meet({ handshakeTimeout: 50 }, {}, { raw: wait }),
  'a client of old': meet({ minVersion: 'TLSv1.3' }, { maxVersion: 'TLSv1.2' }),
  'a server of old': meet({ maxVersion: 'TLSv1.2' }, { minVersion: 'TLSv1.3' }),
  'both of old': meet({ maxVersion: 'TLSv1.2' }, {}),
  'a chosen cipher': meet({ ciphers: 'TLS_AES_128_GCM_SHA256' }, {}),
  'a chosen cipher of old': meet({ maxVersion: 'TLSv1.2' }, { ciphers: 'ECDHE-RSA-CHACHA20-POLY1305' }),
  'no cipher in common': meet({ ciphers: 'ECDHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' }, { ciphers: 'ECDHE-RSA-AES256-GCM-SHA384' }),
  'no certificate': meet({ key: undefined, cert: undefined }, {}),
  'a key on a curve': meet(identity('ec'), {}),
  'a key of Edwards': meet(identity('ed'), {}),
  'two identities': meet({ key: [read('server.key'), read('ec.key')], cert: [read('server.pem'), read('ec.pem')] }, {}),
  'a key with a passphrase': meet({ key: read('server.pkcs8.key'), passphrase: 'secret' }, {}),
  'an old key with a passphrase': meet({ key: read('server.old.key'), passphrase: 'secret' }, {}),
  'an archive': meet({ key: undefined, cert: undefined, pfx: read('server.pfx'), passphrase: 'secret' }, {}),
  'protocols': meet({ ALPNProtocols: ['a', 'b'] }, { ALPNProtocols: ['b', 'a'] }),
  'protocols of one side': meet({}, { ALPNProtocols: ['b', 'a'] }),
  'no protocol in common': meet({ ALPNProtocols: ['a'] }, { ALPNProtocols: ['b'] }),
  'a server that is not trusted': meet({}, { ca: read('other-ca.pem') }),
  'a server that is not trusted, accepted': meet({}, { ca: read('other-ca.pem'), rejectUnauthorized: false }),
  'a server of another name': meet({}, { servername: 'elsewhere.example' }),
  'a name that the program checks': meet({}, { servername: 'elsewhere.example', checkServerIdentity: () => undefined }),
  'an expired server': meet(identity('expired'), {}),
  'a client with a certificate': meet({ ca, requestCert: true }, identity('client')),
  'a client of old with a certificate': meet({ ca, requestCert: true, maxVersion: 'TLSv1.2' }, identity('client')),
  'a client without a certificate, accepted': meet({ ca, requestCert: true, rejectUnauthorized: false }, {}),
  'a client that is not trusted, accepted': meet({ ca, requestCert: true, rejectUnauthorized: false }, identity('self')),
});
