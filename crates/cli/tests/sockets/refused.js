// Nobody listens there; somebody else does already; nobody is called that.
const net = require('net');
const show = (name) => (error) => console.log(name, error.name, error.code, error.errno, error.syscall, error.address, error.port > 0,
  error.message.replace(/:\d+$/, ':PORT'), Object.keys(error).join());
const server = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const second = net.createServer();
  second.on('error', (error) => {
    show('second')(error);
    console.log(second.listening, second.address());
    server.close();
    net.connect(port, '127.0.0.1').on('error', show('gone')).on('close', (hadError) => {
      console.log('closed', hadError);
      third();
    }).on('connectionAttempt', (...args) => console.log('attempt', args[0], args[1] === port, args[2]))
      .on('connectionAttemptFailed', (...args) => console.log('failed', args[0], args[1] === port, args[2], args[3].code));
  });
  second.listen(port, '127.0.0.1', () => console.log('never'));
});
function third() {
  const other = net.createServer().on('error', (error) => {
    console.log(error.code, error.syscall, error.address, error.port);
    fourth();
  });
  other.listen(0, '192.0.2.1');
}
function fourth() {
  net.connect({ host: 'name.invalid', port: 1 }).on('lookup', (error, ip, family, host) => console.log('lookup', error.code, ip, family, host))
    .on('error', (error) => console.log(error.code, error.syscall, error.hostname))
    .on('close', (hadError) => { console.log('closed', hadError); fifth(); });
}
function fifth() {
  const client = net.connect({ port: 80, host: '127.0.0.1', localAddress: '192.0.2.1' });
  client.on('error', (error) => console.log(error.message, error.syscall)).on('close', sixth);
}
function sixth() {
  // Both at one port, whatever the address.
  const any = net.createServer().listen(0, () => {
    console.log(any.address().address, any.address().family);
    net.createServer().on('error', (error) => {
      console.log(error.message.replace(/:\d+$/, ':PORT'));
      any.close();
    }).listen(any.address().port);
  });
}
