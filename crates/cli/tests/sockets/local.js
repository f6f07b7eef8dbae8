// Local sockets: paths instead of ports.
const fs = require('fs');
const net = require('net');
const seen = [];
const path = `./s${process.pid}.sock`;
const server = net.createServer((socket) => {
  seen.push(socket.remoteAddress, socket.localAddress, JSON.stringify(socket.address()), socket.remoteFamily);
  socket.on('data', (data) => socket.end(data.toString().toUpperCase()));
}).listen(path, () => {
  console.log(server.address() === path, server.listening);
  const client = net.connect(path, () => {
    console.log('connected', client.remoteAddress, JSON.stringify(client.address()));
    client.write('text');
  });
  client.on('data', (data) => console.log(data.toString()));
  client.on('close', () => {
    console.log(seen);
    net.createServer().on('error', (error) => {
      console.log(error.code, error.syscall, error.address === path, error.port, error.message.replace(path, 'PATH'));
      server.close(() => {
        net.connect({ path }).on('error', (error) => {
          console.log(error.code, error.syscall, error.address === path, error.port, error.message.replace(path, 'PATH'));
          fs.writeFileSync(path, '');
          net.connect(path).on('error', (error) => {
            console.log(error.code);
            fs.unlinkSync(path);
            abstract();
          });
        });
      });
    }).listen({ path });
  });
});
function abstract() {
  const name = `\0hemiola-${process.pid}`;
  const server = net.createServer((socket) => socket.end('abstract')).listen(name, () => {
    net.connect(name).on('data', (data) => console.log(data.toString())).on('close', () => server.close(long));
  });
}
function long() {
  net.createServer().on('error', (error) => console.log(error.code, error.port)).listen('/nonexistent/directory/socket');
}
