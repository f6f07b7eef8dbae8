// Two servers are given the same port, because neither listens yet when the other asks.
// published: https://github.com/sindresorhus/get-port/issues/23 (NodeRacer, NACD)
// buggy: get-port@4.2.0
// repaired: get-port@5.1.1
const fs = require('node:fs');
const net = require('node:net');
const getPort = require(process.argv[2]);

const serve = async (configuration) => {
  await fs.promises.stat(configuration);
  const port = await getPort({ port: 3000 });
  await new Promise(setImmediate);
  const server = net.createServer();
  await new Promise((resolve, reject) => server.on('error', reject).listen(port, resolve));
  return server;
};
Promise.all([serve(__filename), serve(__dirname)]).then((servers) => servers.forEach((server) => server.close()));
