// https: servers, requests, agents.
'use strict';

const https = require('https');
const { ca, identity, shown } = require('./common.cjs');

const agent = new https.Agent({ maxCachedSessions: 5 });
const settings = {
  host: 'h', port: 1, localAddress: 'l', ca: 'ca', cert: 'c', clientCertEngine: 'e', ciphers: 'ci', key: 'k', pfx: 'p',
  rejectUnauthorized: false, servername: 's', minVersion: 'm', maxVersion: 'M', secureProtocol: 'sp', crl: 'crl', honorCipherOrder: true,
  ecdhCurve: 'ec', dhparam: 'dh', secureOptions: 5, sessionIdContext: 'sic', sigalgs: 'sa', privateKeyIdentifier: 'pi', privateKeyEngine: 'pe',
};
console.log(agent.getName(), agent.getName(settings), agent.getName({ host: 'h', port: 443, servername: 'h' }));
console.log(agent.defaultPort, agent.protocol, agent.maxCachedSessions, https.globalAgent.options, Object.keys(https));

const server = https.createServer(identity('server'), (request, response) => {
  console.log(request.method, request.url, request.socket.encrypted, request.socket.servername, request.socket.alpnProtocol);
  let body = '';
  request.setEncoding('utf8').on('data', (text) => { body += text; });
  request.on('end', () => response.end(`got ${body.length}`));
});

function ask(options, body) {
  return new Promise((done) => {
    const request = https.request({ host: '127.0.0.1', port: server.address().port, ca, ...options }, (response) => {
      const { socket } = response;
      let text = '';
      response.on('data', (data) => { text += data; });
      response.on('end', () => {
        console.log(response.statusCode, text, socket.authorized, socket.isSessionReused(), request.reusedSocket);
        setImmediate(done);
      });
    });
    request.on('error', (error) => {
      console.log(shown(error));
      done();
    });
    request.end(body);
  });
}

server.listen(0, '127.0.0.1', async () => {
  await ask({ path: '/first' });
  await ask({ method: 'POST', path: '/second' }, 'x'.repeat(100_000));
  await ask({ path: '/alone', headers: { host: 'localhost' }, agent: false });
  await ask({ path: '/nobody', ca: undefined });
  await ask({ path: '/stranger', headers: { host: 'elsewhere.example' } });
  const single = new https.Agent({ keepAlive: false });
  await ask({ agent: single, path: '/third' });
  await ask({ agent: single, path: '/fourth' });
  try {
    https.request('http://127.0.0.1/');
  } catch (error) {
    console.log(shown(error));
  }
  const lookup = (host, { all }, callback) => (all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4));
  https.get(`https://localhost:${server.address().port}/url`, { ca, lookup }, (response) => {
    console.log(response.statusCode);
    response.resume().on('end', () => server.close(() => console.log('closed')));
  });
});
