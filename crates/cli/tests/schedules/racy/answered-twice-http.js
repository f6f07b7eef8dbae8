// A handler answers 503 when its work takes too long.
// Race: nothing stops the work, which answers a second time.
'use strict';
const fs = require('fs');
const http = require('http');

const server = http.createServer((request, response) => {
  const limit = setTimeout(() => {
    response.writeHead(503);
    response.end();
  }, 100);
  fs.stat('.', () => {
    clearTimeout(limit);
    response.writeHead(200);
    response.end('done');
  });
});
server.listen(0, '127.0.0.1', () => {
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
    response.resume();
    server.close();
  });
});
