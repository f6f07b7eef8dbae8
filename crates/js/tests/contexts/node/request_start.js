// What a subscriber of `http.server.request.start` enters, the handler of the request is in, and no other request.
const { subscribe } = require('diagnostics_channel');
const { AsyncLocalStorage } = require('async_hooks');
const http = require('http');

const als = new AsyncLocalStorage();
let count = 0;
subscribe('http.server.request.start', ({ request }) => als.enterWith(`${++count} ${request.method}`));

const server = http.createServer((request, response) => {
  console.log('handler', als.getStore());
  request.on('data', () => console.log('data', als.getStore()));
  request.on('end', () => {
    console.log('end', als.getStore());
    setTimeout(() => { console.log('timer', als.getStore()); response.end('x'); }, 1);
  });
  response.on('finish', () => console.log('finish', als.getStore()));
  if (request.method === 'GET') request.resume();
});
const ask = (method, body) => new Promise((resolve) => {
  const request = http.request({ port: server.address().port, method, agent }, (response) => {
    console.log('client', als.getStore());
    response.resume().on('end', resolve);
  });
  request.end(body);
});
const agent = new http.Agent({ keepAlive: true });
server.listen(0, async () => {
  await ask('POST', 'body');
  await ask('GET');
  await ask('PUT', 'more');
  agent.destroy();
  server.close(() => console.log('closed', als.getStore()));
});
