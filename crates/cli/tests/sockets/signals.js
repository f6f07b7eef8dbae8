// AbortSignal, for servers and for sockets; disposal.
const net = require('net');
const controller = new AbortController();
const server = net.createServer((socket) => socket.resume().on('error', () => {}));
server.listen({ port: 0, host: '127.0.0.1', signal: controller.signal }, () => {
  const stop = new AbortController();
  const client = net.connect({ port: server.address().port, host: '127.0.0.1', signal: stop.signal });
  client.on('connect', () => stop.abort());
  client.on('error', (error) => console.log(error.name, error.code, error.message));
  client.on('close', (hadError) => {
    console.log('closed', hadError);
    const late = net.connect({ port: server.address().port, host: '127.0.0.1', signal: AbortSignal.abort() });
    late.on('connect', () => console.log('never'));
    late.on('error', (error) => console.log(error.name));
    late.on('close', () => controller.abort());
  });
});
server.on('close', async () => {
  console.log('server closed', server.listening);
  const other = net.createServer().listen(0);
  await other[Symbol.asyncDispose]();
  console.log(other.listening);
  await other[Symbol.asyncDispose]();
  const aborted = net.createServer().listen({ port: 0, signal: AbortSignal.abort() }, () => console.log('listening'));
  aborted.on('close', () => console.log('aborted closed'));
});
