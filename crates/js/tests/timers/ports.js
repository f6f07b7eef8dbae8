// A port keeps the program alive while somebody listens, and not when it is told not to.
const { port1, port2 } = new MessageChannel();
port1.on('message', (message) => {
  console.log(message);
  if (message === 'last') port1.close();
});
port1.on('close', () => console.log('closed'));
const lazy = new MessageChannel();
lazy.port1.on('message', (message) => {
  console.log(message);
  // The port is what keeps these alive.
  setTimeout(() => {
    port2.postMessage('first');
    setTimeout(() => port2.postMessage('last'), 5).unref();
  }, 5).unref();
});
lazy.port1.unref();
lazy.port2.postMessage('delivered: something else is alive');
const dropped = new MessageChannel();
const listener = () => {};
dropped.port1.on('message', listener);
dropped.port1.off('message', listener);
process.on('exit', () => console.log('exit'));
