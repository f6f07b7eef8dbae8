// What a client refuses, and what becomes of its requests when things go wrong.
const http = require('http');
const net = require('net');

function attempt(name, act) {
  try {
    const result = act();
    console.log(name, typeof result);
    result?.on?.('error', () => {});
    result?.destroy?.();
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

attempt('path', () => http.get({ path: '/a b' }));
attempt('path', () => http.get({ path: '/\u0100' }));
attempt('protocol', () => http.get('https://localhost/'));
attempt('protocol', () => http.get({ protocol: 'x:' }));
attempt('method', () => http.get({ method: 1 }));
attempt('method', () => http.get({ method: 'a b' }));
attempt('host', () => http.get({ host: 1 }));
attempt('hostname', () => http.get({ hostname: {} }));
attempt('agent', () => http.get({ agent: {} }));
attempt('timeout', () => http.get({ timeout: 'x' }));
attempt('timeout', () => http.get({ timeout: -1 }));
attempt('url', () => http.get('nonsense'));
attempt('header', () => http.get({ headers: { 'a b': 1 } }));
attempt('header', () => http.get({ headers: { a: undefined } }));
attempt('header size', () => http.get({ maxHeaderSize: 'x' }));
attempt('lenient', () => http.get({ insecureHTTPParser: 1 }));
attempt('join', () => http.get({ joinDuplicateHeaders: 1 }));
attempt('signal', () => http.get({ signal: {} }));
attempt('scheduling', () => new http.Agent({ scheduling: 'x' }));
attempt('total', () => new http.Agent({ maxTotalSockets: 0 }));
attempt('total', () => new http.Agent({ maxTotalSockets: 'x' }));

/// A server that answers each connection by writing those bytes, and perhaps ends it.
function rawServer(answer) {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

async function exchange(name, answer, options = {}, drive = (request) => request.end()) {
  const server = await rawServer(answer);
  await new Promise((resolve) => {
    const request = http.request({ host: '127.0.0.1', port: server.address().port, agent: false, ...options });
    const log = (...words) => console.log(`${name}:`, ...words);
    for (const event of ['abort', 'continue', 'timeout', 'finish']) request.on(event, () => log(event));
    request.on('information', ({ statusCode, statusMessage, headers }) => log('information', statusCode, statusMessage, headers));
    request.on('error', (error) => log('error', error.name, error.code, error.message, error.reason ?? ''));
    request.on('response', (response) => {
      log('response', response.statusCode, response.statusMessage, response.httpVersion);
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (part) => { text += part; });
      response.on('end', () => log('end', JSON.stringify(text), response.rawHeaders.length, response.rawTrailers));
      response.on('aborted', () => log('aborted'));
      response.on('error', (error) => log('response error', error.code, error.message));
      response.on('close', () => log('response close', response.complete, JSON.stringify(text)));
    });
    request.on('close', () => {
      log('close', request.destroyed, request.aborted, request.reusedSocket);
      setTimeout(resolve, 20);
    });
    drive(request);
  });
  await new Promise((resolve) => server.close(resolve));
}

const say = (text) => (socket) => socket.end(text, 'latin1');

(async () => {
  await exchange('good', say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  await exchange('until the end', say('HTTP/1.1 200 OK\r\n\r\nall of it'));
  await exchange('old', say('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  await exchange('chunks', say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1;x=y\r\n!\r\n0\r\nT: u\r\n\r\n'));
  await exchange('no reason', say('HTTP/1.1 299\r\nContent-Length: 0\r\n\r\n'));
  await exchange('informed', say('HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  await exchange('not modified', say('HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n'));
  await exchange('garbage', say('garbage\r\n\r\n'));
  await exchange('bad header', say('HTTP/1.1 200 OK\r\nA B: c\r\n\r\n'));
  await exchange('too much', say(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(20000)}\r\n\r\n`));
  await exchange('more allowed', say(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(20000)}\r\nContent-Length: 0\r\n\r\n`), { maxHeaderSize: 30000 });
  await exchange('both lengths', say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok'));
  await exchange('nothing', say(''));
  await exchange('part of a head', say('HTTP/1.1 200 O'));
  await exchange('part of a body', say('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok'));
  await exchange('part of a chunk', say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok'));
  await exchange('bad chunk', say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'));
  await exchange('twice', say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno'));
  await exchange('reset', (socket) => socket.resetAndDestroy());
  await exchange('aborted', () => {}, {}, (request) => { request.end(); request.on('finish', () => request.abort()); });
  await exchange('aborted at once', () => {}, {}, (request) => { request.end(); request.abort(); });
  await exchange('destroyed', () => {}, {}, (request) => { request.end(); request.on('finish', () => request.destroy()); });
  await exchange('destroyed with an error', () => {}, {}, (request) => {
    request.end();
    request.on('finish', () => request.destroy(new Error('mine')));
  });
  await exchange('destroyed at once', () => {}, {}, (request) => request.destroy());
  await exchange('timeout', () => {}, { timeout: 300 }, (request) => {
    request.end();
    request.on('timeout', () => request.destroy());
  });
  await exchange('setTimeout', () => {}, {}, (request) => {
    request.end();
    request.setTimeout(300, () => { console.log('called'); request.destroy(new Error('late')); });
  });
  const controller = new AbortController();
  await exchange('signal', () => {}, { signal: controller.signal }, (request) => {
    request.end();
    request.on('finish', () => controller.abort());
  });
  await exchange('aborted signal', () => {}, { signal: AbortSignal.abort() });
  await exchange('destroyed response', say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), {}, (request) => {
    request.end();
    request.on('response', (response) => response.destroy());
  });
  const server = await rawServer(() => {});
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  await new Promise((resolve) => {
    http.get({ port, host: '127.0.0.1' }).on('error', (error) => {
      console.log(error.code, error.syscall, error.address, error.port === port);
    }).on('close', resolve);
  });
  await new Promise((resolve) => {
    http.get({ socketPath: '/nowhere/at/all' }).on('error', (error) => console.log(error.code, error.message)).on('close', resolve);
  });
})();
