// Workers of a cluster share a port; a host elsewhere asks it.
const cluster = require('cluster');
const http = require('http');
const { hostname } = require('os');
if (hostname() === 'client') {
  const seen = {};
  const ask = (left) => {
    if (left === 0) return obs(Object.keys(seen).sort().join());
    const request = http.get({ host: 'server', port: 80, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (text) => { seen[text] = true; }).on('end', () => setTimeout(ask, 100, left - 1));
    });
    request.on('error', (error) => { console.log(error.code); setTimeout(ask, 1000, left); });
  };
  ask(20);
} else if (cluster.isPrimary) {
  cluster.fork();
  cluster.fork();
  cluster.on('exit', (worker, code, signal) => { console.log('worker', worker.id, 'ended', code, signal); cluster.fork(); });
} else {
  let left = 8;
  http.createServer((request, response) => {
    response.end(`worker ${cluster.worker.id}`);
    if (--left === 0) setTimeout(() => process.exit(1), 10);
  }).listen(80);
}
