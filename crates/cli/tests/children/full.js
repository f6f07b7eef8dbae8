// A worker of a cluster takes as many connections as it wants; the others get the rest.
'use strict';
const cluster = require('cluster');
const net = require('net');

if (cluster.isPrimary) {
  const path = `${require('fs').mkdtempSync(`${require('os').tmpdir()}/full-`)}/socket`;
  const counts = {};
  const sockets = [];
  let listening = 0;
  const workers = [1, 4].map((most) => cluster.fork({ MOST: most, SOCKET: path }));
  for (const worker of workers) {
    worker.on('message', (most) => {
      counts[most] = (counts[most] ?? 0) + 1;
      if (Object.values(counts).reduce((sum, one) => sum + one, 0) < 5) return;
      console.log(counts);
      for (const socket of sockets) socket.destroy();
      for (const one of workers) one.process.disconnect();
    });
    worker.on('listening', () => {
      if (++listening === 2) for (let at = 0; at < 5; at++) sockets.push(net.connect(path).on('error', () => {}));
    });
  }
  process.on('exit', () => require('fs').rmSync(require('path').dirname(path), { recursive: true }));
} else {
  const server = net.createServer(() => process.send(process.env.MOST));
  server.maxConnections = Number(process.env.MOST);
  server.listen(process.env.SOCKET);
}
