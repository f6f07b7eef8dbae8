// A fetch that is sent round in a circle ends after twenty redirects.
const http = require('http');

let asked = 0;
const server = http.createServer((request, response) => {
  asked += 1;
  response.writeHead(Number(request.url.slice(1)), { location: request.url });
  response.end();
});

server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  for (const [status, init] of [[302, {}], [307, { method: 'POST', body: 'a' }], [303, { method: 'POST', body: 'a' }], [301, { method: 'HEAD' }]]) {
    asked = 0;
    await fetch(`${url}/${status}`, init).catch(({ message, cause }) => console.log(status, message, cause.message, asked));
  }
  asked = 0;
  const { status } = await fetch(`${url}/308`, { redirect: 'manual' });
  console.log(status, asked);
  server.close();
});
