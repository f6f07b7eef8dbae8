// Answers after a while.
const http = require('node:http');

http.createServer((request, response) => {
  setTimeout(() => {
    obs(request.url);
    response.end('stored');
  }, 5);
}).listen(81);
