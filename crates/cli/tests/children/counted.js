// Connections that were sent to a child count as their server's until they are closed there, or the child is gone.
'use strict';
const { fork } = require('node:child_process');
const net = require('node:net');

if (process.argv[2] === 'child') {
  const sockets = [];
  process.on('message', (message, socket) => {
    if (socket !== undefined) {
      sockets.push(socket);
      process.send('taken');
    } else {
      sockets[message].once('close', () => process.send('closed')).destroy();
    }
  });
} else {
  process.nextTick(main);
}

async function main() {
  const child = fork(__filename, ['child']);
  const answer = () => new Promise((resolve) => child.once('message', resolve));
  const server = net.createServer((socket) => child.send('take', socket));
  server.on('close', () => console.log('the server is closed'));
  const count = (when) => new Promise((resolve) => {
    server.getConnections((error, number) => resolve(console.log(when, error, number)));
  });

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await count('before');
  for (let number = 0; number < 4; number++) {
    net.connect(server.address().port, '127.0.0.1').on('error', () => {});
    console.log(await answer());
  }
  await count('with four');
  for (const number of [2, 0]) {
    child.send(number);
    console.log(await answer());
    await count(`without ${number}`);
  }
  server.close(() => console.log('so hears who has asked'));
  child.send(1);
  console.log(await answer());
  child.kill();
  await new Promise((resolve) => child.once('exit', resolve));
  console.log('the child is gone');
}
