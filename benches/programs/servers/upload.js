// Says how many bytes it was sent; prints its port.
require('http').createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk) => { bytes += chunk.length; });
  request.on('end', () => response.end(`${bytes}\n`));
}).listen(0, '127.0.0.1', function() {
  console.log(this.address().port);
});
