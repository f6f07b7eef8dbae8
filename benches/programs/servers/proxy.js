// Passes requests on to the server whose port is in BACKEND, and its answers back; prints its port.
const http = require('http');
const agent = new http.Agent({ keepAlive: true });
http.createServer((request, response) => {
  const { method, url, headers } = request;
  const onward = http.request({ host: '127.0.0.1', port: process.env.BACKEND, method, path: url, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}).listen(0, '127.0.0.1', function() {
  console.log(this.address().port);
});
