// Sends files of the folder that it is in as streams; prints its port.
const fs = require('fs');
const path = require('path');
require('http').createServer((request, response) => {
  const file = path.join(__dirname, path.normalize(request.url));
  fs.stat(file, (error, status) => {
    if (error) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': status.size });
    fs.createReadStream(file).pipe(response);
  });
}).listen(0, '127.0.0.1', function() {
  console.log(this.address().port);
});
