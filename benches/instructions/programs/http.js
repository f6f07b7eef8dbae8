// A server and its client in one simulated world: requests over kept connections, with bodies both ways.
const http = require('http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
let left = 100;
const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ url: request.url, agent: request.headers['user-agent'] }));
  });
}).listen(8080, () => {
  for (let i = 0; i < left; i++) {
    http.request({ port: 8080, path: `/items/${i}`, method: 'POST', agent, headers: { 'User-Agent': 'counter' } }, (response) => {
      response.resume().on('end', () => { if (--left === 0) { agent.destroy(); server.close(() => console.log('served')); } });
    }).end('a body');
  }
});
