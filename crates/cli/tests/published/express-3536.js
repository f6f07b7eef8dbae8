// A setting of the whole application is changed for one request, and another is answered by it.
// published: https://github.com/expressjs/express/issues/3536 (NodeRacer, NACD)
// buggy: express@4.16.0
// repaired: express@4.16.0 local
// race: lib/application.js:355 lib/application.js:361
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const express = require(process.argv[2]);
const local = process.argv[3] === 'local';

const app = express();
app.get('/:id', (request, response) => {
  const spaces = 'pretty' in request.query ? 2 : 0;
  const record = { id: request.params.id };
  if (!local) app.set('json spaces', spaces);
  fs.readFile(__filename, () => {
    if (local) response.type('json').send(JSON.stringify(record, null, spaces));
    else response.json(record);
  });
});
const server = app.listen(8080, '127.0.0.1', () => {
  let left = 2;
  const get = (path, expected) => http.get({ port: 8080, host: '127.0.0.1', path, agent: false }, (response) => {
    let body = '';
    response.on('data', (data) => { body += data; }).on('end', () => {
      assert.equal(body, expected);
      if (--left === 0) server.close();
    });
  });
  get('/1', '{"id":"1"}');
  setTimeout(get, 5, '/2?pretty', '{\n  "id": "2"\n}');
});
