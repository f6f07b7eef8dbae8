// Answers so many requests, and ends.
const http = require('node:http');
let left = Number(process.argv[2]);
const server = http.createServer((request, response) => {
  setTimeout(() => response.end(JSON.stringify({ url: request.url, at: left })), 1, 'answers');
  if (--left === 0) response.on('finish', () => setTimeout(() => process.exit(0), 5));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
