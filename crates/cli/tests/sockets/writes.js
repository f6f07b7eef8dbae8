// Many pieces, corked and not, of every kind; they arrive in order and are counted.
const net = require('net');
const server = net.createServer((socket) => {
  const pieces = [];
  socket.on('data', (data) => pieces.push(data));
  socket.on('end', () => {
    const all = Buffer.concat(pieces);
    console.log(all.length, require('crypto').createHash('md5').update(all).digest('hex'));
    socket.end(all.subarray(0, 5));
  });
}).listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    let done = 0;
    for (let i = 0; i < 200; i++) socket.write(`line ${i}\n`, () => { done++; });
    socket.cork();
    for (let i = 0; i < 50; i++) socket.write(Buffer.alloc(i, i));
    process.nextTick(() => {
      socket.uncork();
      socket.write('\u20ac'.repeat(10), 'utf8');
      socket.write('\xff\xfe', 'latin1');
      socket.write('ab', 'utf16le');
      socket.write('YWJj', 'base64');
      socket.write('');
      socket.write(Buffer.alloc(0));
      socket.write(Buffer.alloc(1_000_000, 'z'));
      socket.write('last', () => console.log('last written', done));
      console.log(socket.bytesWritten);
      socket.end();
    });
  });
  socket.on('finish', () => console.log('finish', socket.bytesWritten, socket.writableLength));
  socket.on('data', (data) => console.log(data.toString()));
  socket.on('close', () => { console.log('close', socket.bytesWritten, socket.bytesRead); server.close(); });
});
