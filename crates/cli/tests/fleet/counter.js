// A number that others read and set over HTTP.
const http = require('node:http');

let value = 0;
http.createServer(async (request, response) => {
  const body = (await request.toArray()).join('');
  if (request.method === 'GET') return response.end(String(value));
  if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== String(value)) {
    response.statusCode = 412;
    return response.end();
  }
  value = Number(body);
  obs(value);
  return response.end();
}).listen(80);
