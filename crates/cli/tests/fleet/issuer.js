// Gives out tokens that hold for five seconds, by its own clock.
const http = require('node:http');

http.createServer((request, response) => response.end(String(Date.now() + 5000))).listen(80);
