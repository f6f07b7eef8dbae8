// In which order messages come that wait at several ports and channels.
const { BroadcastChannel, MessageChannel } = require('worker_threads');

let heard;
const pairs = (count) => Array.from({ length: count }, () => new MessageChannel());
const hear = (ports, by = 'port2') => ports.forEach((pair, at) => {
  pair[by].on('message', (value) => heard.push(`${by === 'port2' ? '' : 'back '}${'abc'[at]}${value}`));
});
// To the second first.
const post = ([a, b]) => {
  b.port1.postMessage(1);
  a.port1.postMessage(2);
  b.port1.postMessage(3);
  a.port1.postMessage(4);
};

const cases = {
  'from a timer'(ports) {
    hear(ports);
    setImmediate(() => heard.push('immediate'));
    post(ports);
  },
  'from an immediate'(ports) {
    hear(ports);
    setImmediate(() => {
      setImmediate(() => heard.push('immediate'));
      post(ports);
    });
  },
  'started late'(ports) {
    post(ports);
    hear([...ports].reverse());
  },
  'both ways'(ports) {
    hear(ports);
    hear(ports, 'port1');
    post(ports);
    ports[0].port2.postMessage(5);
    ports[1].port2.postMessage(6);
  },
  'while others come'(ports) {
    hear(ports);
    ports[0].port2.once('message', () => {
      Promise.resolve().then(() => heard.push('reaction'));
      process.nextTick(() => heard.push('tick'));
      ports[1].port1.postMessage('later');
    });
    post(ports);
  },
  'many'(ports) {
    const counts = [0, 0];
    ports.slice(0, 2).forEach(({ port2 }, at) => port2.on('message', () => {
      if (++counts[at] % 300 === 0) heard.push(`${'ab'[at]}${counts[at]}`);
    }));
    for (let count = 0; count < 150; ++count) post(ports);
  },
  'channels'(ports) {
    hear(ports);
    const channels = Array.from('xyz', () => new BroadcastChannel('orders'));
    channels.forEach((channel, at) => { channel.onmessage = ({ data }) => heard.push(`${'xyz'[at]}${data}`); });
    post(ports);
    for (const at of [0, 2, 1]) channels[at].postMessage(`<${'xyz'[at]}`);
    return () => channels.forEach((channel) => channel.close());
  },
  'a port that moved'(ports) {
    ports[2].port2.on('message', (port) => {
      port.on('message', (value) => heard.push(`moved ${value}`));
      ports[1].port2.on('message', (value) => heard.push(`b${value}`));
      post(ports);
    });
    ports[2].port1.postMessage(ports[0].port2, [ports[0].port2]);
  },
};

async function main() {
  for (const [name, run] of Object.entries(cases)) {
    const ports = pairs(3);
    heard = [];
    await new Promise((resolve) => setTimeout(resolve, 1));
    const close = run(ports);
    await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(name, heard.join(' '));
    close?.();
    for (const { port1 } of ports) port1.close();
  }
}
main();
