// A peer that cuts the connection.
const net = require('net');
const server = net.createServer((socket) => {
  socket.once('data', (data) => {
    console.log('server got', data.toString());
    socket.on('close', (hadError) => console.log('server close', hadError));
    console.log(socket.resetAndDestroy() === socket);
  });
}).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.write('hello');
  client.on('data', () => console.log('never'));
  client.on('end', () => console.log('never'));
  client.on('error', (error) => console.log(error.message, error.code, error.errno, error.syscall));
  client.on('close', (hadError) => {
    console.log('client close', hadError);
    server.close();
    other();
  });
});
function other() {
  // The client cuts it; the server keeps serving.
  let count = 0;
  const server = net.createServer((socket) => {
    socket.on('error', (error) => console.log('server', error.message));
    socket.write('welcome');
    socket.on('data', () => {});
    socket.on('close', (hadError) => {
      console.log('server close', hadError);
      if (++count === 2) server.close(() => console.log('done'));
      else connect();
    });
  }).listen(0, '127.0.0.1', connect);
  function connect() {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', () => client.resetAndDestroy());
    client.on('close', (hadError) => console.log('client close', hadError));
  }
}
