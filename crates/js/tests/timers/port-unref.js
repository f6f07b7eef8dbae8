// A message for a port that nobody waits for is not delivered at the end.
const { port1, port2 } = new MessageChannel();
port1.on('message', () => console.log('never'));
port1.unref();
port2.postMessage('x');
process.on('exit', () => console.log('exit'));
