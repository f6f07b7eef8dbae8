// A free connection is given to a request while it is being closed, because it was free for too long.
// published: https://github.com/node-modules/agentkeepalive/issues/23 (Node.fz, NodeRacer, NACD)
// buggy: agentkeepalive@2.0.0
// repaired: agentkeepalive@2.0.2
// race, quickly: lib/_http_agent.js:168 lib/_http_agent.js:291
const http = require('node:http');
const Agent = require(process.argv[2]);

const agent = new Agent({ keepAliveTimeout: 50, timeout: 0, maxSockets: 1 });
const get = (then) => http.get({ port: 8080, host: '127.0.0.1', agent }, (response) => {
  response.resume().on('end', then);
}).on('error', (error) => { throw error; });
const server = http.createServer((request, response) => response.end('well')).listen(8080, '127.0.0.1', () => {
  get(() => setImmediate(() => setTimeout(get, 50, () => {
    server.close();
    server.closeAllConnections();
  })));
});
