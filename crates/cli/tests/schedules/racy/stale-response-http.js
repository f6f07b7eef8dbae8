// The same over HTTP: the page shows the answer that came last, not the one to the last question.
// Race: the answers of two connections may come in either order.
'use strict';
const assert = require('assert');
const http = require('http');

let page = '';
let answers = 0;

const server = http.createServer((request, response) => response.end(request.url));
server.listen(0, '127.0.0.1', () => {
  const ask = (path) => {
    http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.on('data', (text) => { page = String(text); });
      response.on('end', () => {
        if (++answers === 2) server.close();
      });
    });
  };
  ask('/old');
  setTimeout(() => ask('/new'), 200);
});
process.on('exit', () => assert.strictEqual(page, '/new'));
