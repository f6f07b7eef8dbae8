// What a server listens at, in a word.
const net = require('net');

process.removeAllListeners('warning').on('warning', ({ code, message }) => console.log(code, message));
net._setSimultaneousAccepts();
net._setSimultaneousAccepts();

async function listen(options) {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(options, resolve));
  console.log(server._connectionKey);
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  await listen({ port: 0, host: '127.0.0.1' });
  await listen({ port: 0, host: '::1' });
  await listen({ path: 'here' });
})();
