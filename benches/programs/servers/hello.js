// A server that says hello; prints its port.
require('http').createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  response.end('Hello World\n');
}).listen(0, '127.0.0.1', function() {
  console.log(this.address().port);
});
