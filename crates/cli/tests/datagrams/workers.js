// Datagrams between the threads of a program.
'use strict';
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const dgram = require('dgram');
const { once } = require('events');

async function main() {
  const server = dgram.createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const worker = new Worker(__filename, { workerData: server.address().port });
  const exited = once(worker, 'exit');
  const told = [];
  worker.on('message', (text) => told.push(text));
  const [message, from] = await once(server, 'message');
  console.log('main got', `${message}`);
  server.send('back', from.port, from.address);
  const [last] = await once(server, 'message');
  console.log('main got', `${last}`);
  await exited;
  console.log(told);
  // What the worker left open is closed.
  const again = dgram.createSocket('udp4');
  again.bind(from.port, '127.0.0.1');
  await once(again, 'listening');
  again.close();
  server.close();
}

async function work(port) {
  const socket = dgram.createSocket('udp4');
  socket.send('from the worker', port, '127.0.0.1');
  const [message] = await once(socket, 'message');
  parentPort.postMessage(`worker got ${message}`);
  await new Promise((done) => socket.send('the last', port, '127.0.0.1', done));
  socket.unref();
}

if (isMainThread) main();
else work(workerData);
