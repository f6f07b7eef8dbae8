// Sockets and files of workers: a server in one, clients in others, and what closes when a worker ends.
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
const net = require('net');
const http = require('http');
if (isMainThread) {
  const server = new Worker(__filename, { workerData: 'server' });
  let port;
  server.on('exit', (code) => {
    console.log('server', code);
    // What it listened at is free again.
    net.connect(port, '127.0.0.1').on('error', (error) => console.log(error.code, error.syscall));
  });
  server.once('message', async ({ port: at, web }) => {
    port = at;
    const clients = [1, 2, 3].map((i) => new Promise((resolve) => {
      const worker = new Worker(__filename, { workerData: { i, port, web } });
      worker.on('message', resolve);
    }));
    console.log(await Promise.all(clients));
    const socket = net.connect(port, '127.0.0.1', () => socket.write('end\n'));
    socket.setEncoding('utf8');
    let heard = '';
    socket.on('data', (text) => { heard += text; });
    socket.on('error', (error) => console.log(error.code));
    socket.on('close', () => {
      console.log('closed after', JSON.stringify(heard));
      server.postMessage('enough');
    });
  });
} else if (workerData === 'server') {
  const server = net.createServer((socket) => {
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      if (text === 'end\n') socket.end('bye\n');
      else socket.end(text.toUpperCase());
    });
  });
  parentPort.once('message', () => process.exit(0));
  const web = http.createServer((request, response) => response.end(`${request.method} ${request.url}`));
  server.listen(0, '127.0.0.1', () => web.listen(0, '127.0.0.1', () => {
    parentPort.postMessage({ port: server.address().port, web: web.address().port });
  }));
} else {
  const { i, port, web } = workerData;
  const socket = net.connect(port, '127.0.0.1', () => socket.write(`hello ${i}`));
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    http.get({ host: '127.0.0.1', port: web, path: `/${i}`, agent: false }, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (part) => { body += part; });
      response.on('end', () => parentPort.postMessage([text, response.statusCode, body]));
    });
  });
}
