// Where the events of a socket come among ticks, promises, immediates and timers.
const net = require('net');
const log = [];
const around = (name) => {
  log.push(name);
  process.nextTick(() => log.push(`${name} tick`));
  Promise.resolve().then(() => log.push(`${name} promise`));
};
const server = net.createServer((socket) => {
  socket.on('data', () => {
    socket.destroy();
  });
  socket.on('close', () => {});
}).listen(0, '127.0.0.1', () => {
  around('listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('connect', () => { around('connect'); setImmediate(() => around('immediate of connect')); });
  client.on('ready', () => around('ready'));
  client.write('x', () => around('written'));
  client.on('end', () => around('end'));
  client.on('finish', () => around('finish'));
  client.on('close', () => {
    around('close');
    setImmediate(() => {
      server.close(() => {
        around('server close');
        const lost = new net.Socket();
        lost.on('error', () => around('error'));
        lost.on('close', () => around('lost close'));
        lost.destroy(new Error('x'));
        around('after destroy');
        setTimeout(() => console.log(log.join('\n')), 10);
      });
      around('after server close');
    });
  });
});
around('after listen');
