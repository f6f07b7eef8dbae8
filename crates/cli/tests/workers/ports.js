// Ports that travel: between workers, with messages waiting in them, and back.
const { Worker, MessageChannel, isMainThread, workerData, parentPort, receiveMessageOnPort } = require('worker_threads');
if (isMainThread) {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage('waited before it left');
  port2.once('close', () => console.log('port2 is gone from here'));
  const one = new Worker(__filename, { workerData: { name: 'one', port: port2 }, transferList: [port2] });
  const log = [];
  const ends = [];
  const end = (name) => {
    if (ends.push(name) === 3) console.log(ends.sort(), log.map((one) => (one.port ? 'a port' : one)));
  };
  port1.on('message', (message) => {
    log.push(message);
    if (message === 'bye') {
      port1.on('close', () => end('closed by the other side'));
    } else if (message.port) {
      // A channel that the worker made: one end came here.
      message.port.on('message', (inner) => {
        log.push(inner);
        message.port.postMessage('answer');
        message.port.close();
      });
    }
  });
  one.on('exit', (code) => end(`one ${code}`));
  const two = new Worker(__filename, { workerData: { name: 'two' } });
  const channel = new MessageChannel();
  two.on('exit', (code) => end(`two ${code}`));
  // Between two workers, without this thread in the middle.
  one.postMessage({ to: channel.port1 }, [channel.port1]);
  two.postMessage({ to: channel.port2 }, [channel.port2]);
} else if (workerData.name === 'one') {
  const { port } = workerData;
  console.log('at once:', receiveMessageOnPort(port), receiveMessageOnPort(port));
  parentPort.once('message', ({ to }) => {
    to.postMessage({ hello: 'two', list: [1, , 3], nan: NaN, zero: -0, big: 12345678901234567890n });
    to.on('message', (message) => {
      // Not written: what two workers write reaches the parent in any order.
      port.postMessage(`got ${[...message]}`);
      to.close();
      const { port1, port2 } = new MessageChannel();
      port1.postMessage('inside');
      port1.on('message', (answer) => {
        port.postMessage(`had ${answer}`);
        port1.on('close', () => {
          port.postMessage('bye');
          port.close();
        });
      });
      port.postMessage({ port: port2 }, [port2]);
    });
  });
} else {
  parentPort.once('message', ({ to }) => {
    to.on('message', (message) => {
      console.log('two got', message, Object.is(message.zero, -0));
      to.postMessage(new Set(['from two']));
    });
  });
}
