// What the programs of this folder share.
'use strict';

const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'certificates', name));
const identity = (name) => ({ key: read(`${name}.key`), cert: read(`${name}.pem`) });
const ca = read('ca.pem');

/// OpenSSL's errors without the place in its source.
function shown(error) {
  const { code, library, reason, message } = error;
  return library ? `${code} ${library}: ${reason}` : `${code} ${message}`;
}

/// Runs scenarios one after the other. What the two sides say comes in between in no certain order, so
/// that it is printed side by side when a scenario has ended.
async function scenarios(list) {
  for (const [name, run] of Object.entries(list)) {
    const said = { server: [], client: [] };
    const say = (side, ...words) => said[side].push(words.join(' '));
    await new Promise((done) => run(say, done));
    console.log(`# ${name}`);
    for (const side of ['server', 'client']) for (const line of said[side]) console.log(`${side}: ${line}`);
  }
}

/// A server and one client that meet: the scenario ends when both have closed.
const meet = (serverOptions, clientOptions, more = {}) => (say, done) => {
  let open = 2;
  const closed = () => { if (--open === 0) server.close(done); };
  const server = tls.createServer({ ...identity('server'), ...serverOptions }, (socket) => {
    say('server', 'secure', socket.getProtocol(), socket.getCipher().name, 'alpn', socket.alpnProtocol, 'name', socket.servername,
      'peer', socket.authorized, socket.authorizationError);
    socket.on('error', (error) => say('server', 'error', shown(error)));
    socket.on('data', (data) => say('server', 'data', data));
    socket.on('end', () => say('server', 'end'));
    socket.on('close', closed);
    (more.server ?? (() => {}))(socket);
  });
  server.on('tlsClientError', (error, socket) => {
    say('server', 'tlsClientError', shown(error));
    socket.destroy();
    closed();
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    if (more.raw) {
      const socket = require('net').connect(port, '127.0.0.1', () => more.raw(socket));
      socket.on('data', (data) => say('client', 'data', data.toString('hex')));
      socket.on('error', (error) => say('client', 'error', error.code));
      socket.on('close', () => { say('client', 'close'); closed(); });
      return;
    }
    const socket = tls.connect({ port, host: '127.0.0.1', ca, ...clientOptions }, () => {
      say('client', 'secure', socket.getProtocol(), socket.getCipher().name, 'alpn', socket.alpnProtocol, 'peer', socket.authorized,
        socket.authorizationError);
      (more.client ?? ((it) => it.end()))(socket);
    });
    socket.on('error', (error) => say('client', 'error', shown(error)));
    socket.on('data', (data) => say('client', 'data', data));
    socket.on('end', () => say('client', 'end'));
    socket.on('close', () => { say('client', 'close'); closed(); });
  });
};

module.exports = { read, identity, ca, shown, scenarios, meet };
