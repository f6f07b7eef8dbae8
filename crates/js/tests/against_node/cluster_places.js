// What the primary of a cluster hears of the places at which its workers listen.
const cluster = require('cluster');
const net = require('net');

if (cluster.isPrimary) {
  const path = `${require('os').tmpdir()}/places-${process.pid}`;
  cluster.fork({ PLACE: path });
  cluster.on('listening', (worker, place) => console.log({ ...place, address: place.address?.replace(path, 'PATH'), port: place.port > 0 ? 'some' : place.port }));
  cluster.on('message', (worker, message) => {
    console.log(message.replace(path, 'PATH'));
    setImmediate(() => worker.send('next'));
  });
  cluster.on('exit', (worker, code) => console.log('exit', code));
} else {
  const places = [[0], [0, '127.0.0.1'], [{ port: 0, host: '0.0.0.0' }], [{ path: process.env.PLACE }]];
  let server;
  const next = () => {
    server?.close();
    if (places.length === 0) return process.disconnect();
    server = net.createServer().listen(...places.shift(), () => {
      setImmediate(() => process.send(JSON.stringify(server.address()).replace(/"port":\d+/, 'some')));
    });
  };
  process.on('message', next);
  next();
}
