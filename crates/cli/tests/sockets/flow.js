// Much data, slow readers: nothing is lost, nothing is out of order, and writers are held up.
const net = require('net');
const TOTAL = 6_000_000;
const bytes = Buffer.alloc(TOTAL, 0).map((_, at) => (at * 7 + (at >> 8)) & 255);
const server = net.createServer((socket) => {
  let at = 0;
  let good = true;
  let paused = 0;
  socket.on('data', (data) => {
    for (let i = 0; i < data.length; i += 97) if (data[i] !== bytes[at + i]) good = false;
    at += data.length;
    if (paused++ % 10 === 0) {
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    }
  });
  socket.on('end', () => {
    console.log('received', at, good, socket.bytesRead);
    socket.end(bytes.subarray(0, 300_000));
  });
}).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let drains = 0;
  let offset = 0;
  function go() {
    while (offset < TOTAL) {
      const piece = bytes.subarray(offset, offset + 250_000);
      offset += piece.length;
      if (!client.write(piece)) {
        client.once('drain', () => { drains++; go(); });
        return;
      }
    }
    client.end();
  }
  go();
  let back = 0;
  client.on('data', (data) => { back += data.length; });
  client.on('close', () => {
    console.log('back', back, drains > 0, client.bytesWritten, client.writableLength);
    server.close();
  });
});
