// What is refused before anything is asked of the world.
const net = require('net');
const attempt = (name, act) => {
  try {
    const value = act();
    console.log(name, 'fine', value === undefined ? '' : typeof value);
    if (value?.destroy) value.on('error', () => {}).destroy();
    if (value?.close) value.on('error', () => {}).close();
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const server = () => net.createServer();
attempt('no port', () => net.connect());
attempt('empty', () => net.connect({}));
attempt('bad port', () => net.connect({ port: 65536 }));
attempt('negative', () => net.connect({ port: -1 }));
attempt('text port', () => net.connect({ port: 'abc' }));
attempt('object port', () => net.connect({ port: {} }));
attempt('null port', () => net.connect({ port: null }));
attempt('true port', () => net.connect(true));
attempt('bad local', () => net.connect({ port: 1, localAddress: 'x' }));
attempt('bad local port', () => net.connect({ port: 1, localPort: 'x' }));
attempt('bad lookup', () => net.connect({ port: 1, host: 'h', lookup: 1 }));
attempt('bad family', () => net.connect({ port: 1, host: 'h', autoSelectFamily: 1 }));
attempt('bad timeout', () => net.connect({ port: 1, host: 'h', autoSelectFamilyAttemptTimeout: 0 }));
attempt('object mode', () => new net.Socket({ objectMode: true }));
attempt('object mode', () => new net.Socket({ readableObjectMode: true }));
attempt('object mode', () => new net.Socket({ writableObjectMode: true }));
attempt('keep alive', () => new net.Socket({ keepAliveInitialDelay: 'x' }));
attempt('fd', () => new net.Socket({ fd: 'x' }));
attempt('fd', () => new net.Socket({ fd: -1 }));
attempt('socket', () => net.Socket());
attempt('server', () => net.Server());
attempt('server options', () => net.createServer('x'));
attempt('server options', () => net.createServer(1));
attempt('server options', () => net.createServer(null));
attempt('server keep alive', () => net.createServer({ keepAliveInitialDelay: 'x' }));
attempt('server mark', () => net.createServer({ highWaterMark: 'x' }));
attempt('listen {}', () => server().listen({}));
attempt('listen port', () => server().listen({ port: 70000 }));
attempt('listen port', () => server().listen(-1));
attempt('listen port', () => server().listen('x y', 'h'));
attempt('listen float', () => server().listen(1.5));
attempt('listen true', () => server().listen(true));
attempt('listen false', () => server().listen({ port: false }));
attempt('listen path', () => server().listen({ path: 5 }));
attempt('listen null', () => server().listen(null));
attempt('listen undefined', () => server().listen(undefined));
attempt('listen signal', () => server().listen({ port: 0, signal: 1 }));
attempt('twice', () => { const one = server().listen(0); try { one.listen(0); } finally { one.close(); } });
attempt('default', () => net.setDefaultAutoSelectFamily('x'));
attempt('default', () => net.setDefaultAutoSelectFamilyAttemptTimeout(0));
attempt('default', () => net.setDefaultAutoSelectFamilyAttemptTimeout(3));
console.log(net.getDefaultAutoSelectFamily(), net.getDefaultAutoSelectFamilyAttemptTimeout());
for (const text of ['1.2.3.4', '01.2.3.4', '1.2.3', '1.2.3.256', '::', '::1', 'fe80::1%lo', '::ffff:1.2.3.4', '1::2::3', '', ' ::1', undefined, null, 5, {}]) {
  console.log(String(text), net.isIP(text), net.isIPv4(text), net.isIPv6(text));
}
console.log(net.Stream === net.Socket, net.connect === net.createConnection, net.Socket.length, net.Server.length);
console.log(Object.getOwnPropertyNames(net.Server.prototype).filter((name) => !name.startsWith('_')).sort().join());
console.log(Object.getOwnPropertyNames(net.Socket.prototype).filter((name) => !name.startsWith('_')).sort().join());
