// Responses leave in the order of their requests, whatever the order in which they are made.
const http = require('http');
const net = require('net');

const log = [];
const waiting = new Map();
const server = http.createServer((request, response) => {
  log.push(`request ${request.url}`);
  for (const name of ['finish', 'close']) response.on(name, () => log.push(`${request.url} ${name}`));
  waiting.set(request.url, response);
  if (waiting.size < 4) return;
  for (const url of ['/4', '/2', '/3', '/1']) {
    const one = waiting.get(url);
    one.sendDate = false;
    one.write(`part of ${url};`);
    one.end(`rest of ${url}`);
    log.push(`ended ${url} ${one.writableFinished} ${one.socket !== null}`);
  }
});

function send(text) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(text));
    let all = '';
    socket.on('data', (data) => { all += data; });
    socket.on('close', () => resolve(all));
  });
}

const get = (url, more = '') => `GET ${url} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
server.listen(0, '127.0.0.1', async () => {
  console.log(await send(get('/1') + get('/2') + get('/3') + get('/4', 'Connection: close\r\n')));
  console.log(log.join('\n'));

  // Parts, held back and not.
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    response.sendDate = false;
    if (request.url === '/cork') {
      response.cork();
      response.write('a');
      response.write('b');
      console.log(response.writableCorked, response.writableLength);
      response.uncork();
      response.write('c');
      response.end();
    } else {
      response.write('first');
      setTimeout(() => response.write('second'), 5);
      setTimeout(() => response.end('third'), 10);
    }
  });
  console.log(JSON.stringify(await send(get('/cork', 'Connection: close\r\n'))));
  console.log(JSON.stringify(await send(get('/later', 'Connection: close\r\n'))));
  console.log(JSON.stringify(await send('GET /old HTTP/1.0\r\n\r\n')));

  // A client that goes away before it is answered: its connection closes first, and it is no error of the client.
  server.removeAllListeners('request');
  server.on('clientError', (error) => console.log('clientError', error.code));
  server.on('request', (request, response) => {
    for (const name of ['end', 'finish', 'error']) request.socket.on(name, () => console.log('socket', name));
    for (const name of ['aborted', 'error', 'close']) request.on(name, () => console.log('request', name));
    response.on('close', () => console.log('response close', response.writableFinished));
    client.end();
  });
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write(get('/gone')));
  await new Promise((resolve) => client.on('close', resolve));
  server.close(() => console.log('closed'));
});
