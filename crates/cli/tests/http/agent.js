// Connections that are kept, shared and limited.
const http = require('http');

const seen = new Map();
const server = http.createServer((request, response) => {
  if (!seen.has(request.socket)) seen.set(request.socket, seen.size + 1);
  const body = `${request.url} on ${seen.get(request.socket)}`;
  if (request.url === '/close') response.setHeader('Connection', 'close');
  if (request.url === '/slow') setTimeout(() => response.end(body), 20);
  else response.end(body);
});

function ask(agent, path, options) {
  return new Promise((resolve) => {
    const request = http.get({ agent, path, host: '127.0.0.1', port: server.address().port, ...options }, (response) => {
      let text = '';
      response.on('data', (part) => { text += part; });
      response.on('end', () => {
        // Which of several comes first is not for us to say.
        const line = [text, response.headers.connection, response.headers['keep-alive'], request.reusedSocket].join(' ');
        if (options?.quiet !== true) console.log(line);
        setImmediate(resolve, line);
      });
    });
    request.on('error', (error) => { console.log(path, error.code); resolve(); });
  });
}

const show = (agent) => {
  const count = (lists) => Object.values(lists).map((list) => list.length);
  console.log('sockets', count(agent.sockets), 'free', count(agent.freeSockets), 'requests', count(agent.requests), agent.totalSocketCount);
};

server.listen(0, '127.0.0.1', async () => {
  const kept = new http.Agent({ keepAlive: true });
  for (const path of ['/1', '/2', '/close', '/3']) await ask(kept, path);
  show(kept);
  const lines = await Promise.all(['/4', '/5', '/6'].map((path) => ask(kept, path, { quiet: true })));
  console.log(lines.map((line) => line.split(' ')[0]).sort(), lines.filter((line) => line.endsWith('true')).length);
  show(kept);
  kept.destroy();
  await new Promise((resolve) => setTimeout(resolve, 20));
  show(kept);

  const single = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const all = Promise.all(['/slow', '/7', '/8'].map((path) => ask(single, path)));
  show(single);
  await all;
  show(single);
  single.destroy();

  const plain = new http.Agent();
  await ask(plain, '/9');
  await ask(plain, '/10');
  show(plain);

  const few = new http.Agent({ keepAlive: true, maxFreeSockets: 1 });
  await Promise.all(['/slow', '/slow'].map((path) => ask(few, path, { quiet: true })));
  show(few);
  few.destroy();

  const total = new http.Agent({ keepAlive: true, maxTotalSockets: 1 });
  await Promise.all(['/slow', '/slow'].map((path) => ask(total, path)));
  show(total);
  total.destroy();

  await ask(undefined, '/global');
  await ask(undefined, '/global');
  http.globalAgent.destroy();
  await ask(false, '/none');

  const names = new http.Agent();
  console.log(names.getName({ host: 'a', port: 1, localAddress: 'b', family: 6, socketPath: '/x' }), names.getName({}), names.getName());
  console.log(names.defaultPort, names.protocol, names.keepAlive, names.keepAliveMsecs, names.maxSockets, names.maxFreeSockets,
    names.scheduling, names.maxTotalSockets, names.options);
  console.log(http.globalAgent.keepAlive, http.globalAgent.options.timeout, http.Agent.defaultMaxSockets);
  server.close(() => console.log('closed', seen.size));
  server.closeIdleConnections();
});
