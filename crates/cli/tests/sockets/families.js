// A name with several addresses: one after the other is tried.
const net = require('net');
const { port: closed } = { port: 9 };
const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const lookup = (host, options, callback) => {
    console.log('lookup', host, options.all, options.family, options.hints);
    process.nextTick(callback, null, [
      { address: '::1', family: 6 }, { address: '127.0.0.3', family: 4 }, { address: '127.0.0.1', family: 4 }, { address: '127.0.0.1', family: 4 },
    ]);
  };
  const shown = (...args) => args.map((one) => (one === port ? 'PORT' : one instanceof Error ? one.code : one)).join(' ');
  const client = net.connect({ port, host: 'somewhere', lookup });
  for (const event of ['lookup', 'connectionAttempt', 'connectionAttemptFailed', 'connectionAttemptTimeout', 'connect']) {
    client.on(event, (...args) => console.log(event, shown(...args)));
  }
  client.on('data', (data) => console.log(data.toString()));
  client.on('close', () => {
    console.log(client.autoSelectFamilyAttemptedAddresses.map((one) => one.replace(`${port}`, 'PORT')));
    server.close();
    const failing = net.connect({ port, host: 'elsewhere', lookup });
    failing.on('error', (error) => {
      console.log(error.name, error.code, error.errors.map((one) => one.message.replace(`${port}`, 'PORT')), Object.keys(error));
      single();
    });
  });
  function single() {
    const one = net.connect({ port, host: 'h', family: 4, lookup(host, options, callback) {
      console.log(JSON.stringify(options));
      callback(null, '127.0.0.1', 4);
    } });
    one.on('lookup', (...args) => console.log('lookup', shown(...args)));
    one.on('error', (error) => { console.log(error.code, error.address); wrong(); });
  }
  function wrong() {
    const one = net.connect({ port, host: 'h', family: 4, lookup(host, options, callback) { callback(null, 'nonsense', 4); } });
    one.on('error', (error) => {
      console.log(error.name, error.code, error.message);
      const two = net.connect({ port: 5, host: 'h', lookup(host, options, callback) { callback(null, [{ address: '127.0.0.1', family: 100 }]); } });
      two.on('error', (error) => { console.log(error.name, error.code, error.message); off(); });
    });
  }
  function off() {
    const one = net.connect({ port, host: 'h', autoSelectFamily: false, lookup(host, options, callback) { console.log(options.all); callback(new Error('no name')); } });
    one.on('error', (error) => console.log(error.message)).on('close', (hadError) => console.log('close', hadError));
  }
});
