// A server listens at once and reads its configuration meanwhile.
// Race: the first request may come before the configuration has been read.
'use strict';
const fs = require('fs');
const http = require('http');

fs.writeFileSync('config.json', '{"greeting":"hello"}');
let config;
fs.readFile('config.json', 'utf8', (error, text) => {
  if (error) throw error;
  config = JSON.parse(text);
});

const server = http.createServer((request, response) => {
  response.end(config.greeting);
  server.close();
});
server.listen(0, '127.0.0.1', () => {
  setTimeout(() => {
    http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => response.resume());
  }, 50);
});
