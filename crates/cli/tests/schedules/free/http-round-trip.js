// A request comes before its handler, and that before the response. Its accesses are ordered.
'use strict';
const assert = require('assert');
const http = require('http');

let stage = 'new';
const server = http.createServer((request, response) => {
  assert.strictEqual(stage, 'asked');
  stage = 'handled';
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  stage = 'asked';
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
    assert.strictEqual(stage, 'handled');
    stage = 'answered';
    response.resume();
    response.on('end', () => server.close());
  });
});
