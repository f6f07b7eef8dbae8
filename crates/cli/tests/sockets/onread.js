// Bytes go into the program's own buffer.
const net = require('net');
const server = net.createServer((socket) => socket.end('0123456789abcdefghij')).listen(0, '127.0.0.1', () => {
  const buffer = Buffer.alloc(8);
  let text = '';
  const client = net.connect({
    port: server.address().port, host: '127.0.0.1',
    onread: {
      buffer,
      callback(count, given) {
        if (given !== buffer) console.log('another buffer');
        text += given.toString('latin1', 0, count);
        return true;
      },
    },
  });
  client.on('data', () => console.log('never'));
  client.on('end', () => console.log('end', text, client.bytesRead));
  client.on('close', () => {
    server.close();
    generated();
  });
});
function generated() {
  const server = net.createServer((socket) => socket.end('x'.repeat(100_000))).listen(0, '127.0.0.1', () => {
    let total = 0;
    let pauses = 0;
    const client = net.connect({
      port: server.address().port, host: '127.0.0.1',
      onread: {
        buffer: () => Buffer.alloc(65536),
        callback(count) {
          total += count;
          if (pauses < 2) {
            pauses++;
            setTimeout(() => client.resume(), 2);
            return false;
          }
        },
      },
    });
    client.on('end', () => console.log('end', total));
    client.on('close', () => { console.log('close', pauses > 0); server.close(); });
  });
}
