const net = require('net');
const attempt = (act) => { try { act(); } catch (error) { console.log(error.name, error.code, error.message); } };
const server = net.createServer((socket) => { socket.on('end', () => console.log('server end')).resume(); }).listen(0, '127.0.0.1', () => {
  const client = net.connect({ port: server.address().port, host: '127.0.0.1', timeout: 20 });
  console.log(client.timeout);
  const unused = () => console.log('never');
  client.setTimeout(20, unused);
  client.setTimeout(0, unused);
  attempt(() => client.setTimeout('10'));
  attempt(() => client.setTimeout(-1));
  attempt(() => client.setTimeout(NaN));
  attempt(() => client.setTimeout(Infinity));
  attempt(() => client.setTimeout(10, 'x'));
  console.log(client.timeout, client.setTimeout(20) === client);
  client.once('timeout', () => {
    console.log('timeout', client.timeout, client.destroyed);
    client.setTimeout(30, () => {
      console.log('second');
      client.end();
    });
    console.log(client.listenerCount('timeout'));
  });
  client.on('close', () => {
    console.log('close', client.setTimeout(5) === client, client.timeout);
    server.close();
  });
});
