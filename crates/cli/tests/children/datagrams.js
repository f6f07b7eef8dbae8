// Sockets of datagrams that several processes have. Rule CLUSTER-11.
const cluster = require('cluster');
const dgram = require('dgram');
const { fork } = require('child_process');

const bound = (socket, options) => new Promise((resolve, reject) => {
  socket.once('error', reject).bind(options, () => resolve(socket.address().port));
});
const next = (emitter, event) => new Promise((resolve) => emitter.once(event, (...args) => resolve(args)));

if (cluster.isWorker) worker();
else if (process.argv[2] === 'child') child();
else primary();

async function worker() {
  const [shared, other, own] = [0, 1, 2].map(() => dgram.createSocket('udp4'));
  const ports = [];
  for (const [socket, exclusive] of [[shared, false], [other, false], [own, true]]) {
    ports.push(await bound(socket, { port: 0, address: '127.0.0.1', exclusive }));
  }
  own.close();
  process.send(ports);
  // One datagram for each of them, and the rest for the others.
  shared.on('message', (bytes) => {
    shared.close();
    process.send(`${bytes}`);
  });
  const taken = dgram.createSocket('udp4').on('error', ({ code, syscall }) => process.send([code, syscall]));
  process.once('message', (port) => taken.bind({ port, address: '127.0.0.1' }));
}

function child() {
  process.once('message', (name, socket) => {
    const { address, port } = socket.address();
    console.log(name, socket.constructor.name, address, typeof port);
    socket.on('message', (bytes) => {
      console.log(`the child has ${bytes}`);
      socket.close();
    });
    process.send('listens');
    process.disconnect();
  });
}

async function primary() {
  const places = [];
  cluster.on('listening', ({ id }, { addressType, address, port, fd }) => places.push([id, addressType, address, typeof port, fd]));
  const workers = [cluster.fork(), cluster.fork(), cluster.fork()];
  const all = (await Promise.all(workers.map((one) => next(one, 'message')))).map(([ports]) => ports);
  const kinds = all[0].map((_, at) => new Set(all.map((ports) => ports[at])).size);
  console.log('ports', kinds, places.sort());
  const sender = dgram.createSocket('udp4');
  const heard = workers.map((one) => next(one, 'message'));
  for (const text of ['a', 'b', 'c']) sender.send(text, all[0][0], '127.0.0.1');
  console.log((await Promise.all(heard)).map(([text]) => text).sort());
  const own = dgram.createSocket('udp4');
  const port = await bound(own, { port: 0, address: '127.0.0.1' });
  const refused = next(workers[0], 'message');
  workers[0].send(port);
  console.log(...(await refused)[0]);
  await new Promise((resolve) => cluster.disconnect(resolve));

  // Through the channel of any child.
  const other = fork(__filename, ['child']);
  other.send('socket', own);
  await next(other, 'message');
  own.close();
  sender.send('d', port, '127.0.0.1');
  await next(other, 'exit');
  sender.close();
  for (const fd of [1e6, 1]) {
    const socket = dgram.createSocket('udp4');
    try {
      socket.bind({ fd });
    } catch ({ code }) {
      console.log(code);
    }
    socket.close();
  }
}
