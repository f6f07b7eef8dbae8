// A reader that never reads holds the writer up; when it vanishes, the writer hears of it.
const net = require('net');
const server = net.createServer({ pauseOnConnect: true }, (socket) => {
  console.log('paused', socket.isPaused(), socket.readableFlowing);
  setTimeout(() => socket.destroy(), 30);
}).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let written = 0;
  let result;
  client.on('connect', () => {
    do result = client.write(Buffer.alloc(16_000_000), (error) => { if (!error) written++; else console.log('write', Boolean(error.code)); });
    while (result);
    console.log('held up', client.writableNeedDrain, client.bytesWritten, client.bufferSize === client.writableLength);
  });
  client.on('drain', () => console.log('never'));
  client.on('error', (error) => console.log(['ECONNRESET', 'EPIPE'].includes(error.code)));
  client.on('close', (hadError) => {
    console.log('close', hadError, written);
    server.close();
  });
});
