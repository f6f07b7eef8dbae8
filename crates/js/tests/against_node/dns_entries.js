// What observers of performance hear of names that are looked up.
const dgram = require('dgram');
const dns = require('dns');
const { PerformanceObserver } = require('perf_hooks');

const tell = ({ name, entryType, startTime, duration, detail }) => {
  console.log(name, entryType, startTime > 0, duration >= 0, detail);
};
new PerformanceObserver((list) => list.getEntries().forEach(tell)).observe({ type: 'dns' });

/// A server that knows one address, and one name.
function answer(question, { port }) {
  const end = question.indexOf(0, 12) + 5;
  const type = question.readUInt16BE(end - 4);
  const data = type === 12 ? Buffer.from([1, 97, 0]) : Buffer.from([1, 2, 3, 4]);
  const head = Buffer.from(question.subarray(0, end));
  head.set([0x81, 0x80], 2);
  head[7] = 1;
  head.fill(0, 8, 12);
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
  this.send(Buffer.concat([head, record, data]), port, '127.0.0.1');
}

async function main() {
  const { lookup, lookupService, Resolver } = dns.promises;
  await lookup('localhost', { family: 4 });
  await lookup('localhost', { family: 4, all: true, verbatim: false });
  await new Promise((resolve) => dns.lookup('localhost', { family: 4 }, resolve));
  await new Promise((resolve) => dns.lookup('localhost', { family: 4, all: true, order: 'ipv6first' }, resolve));
  await lookup('127.0.0.1');
  await lookupService('127.0.0.1', 22);
  await new Promise((resolve) => dns.lookupService('127.0.0.1', 80, resolve));
  const server = dgram.createSocket('udp4').on('message', answer);
  await new Promise((resolve) => server.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  await resolver.resolve4('a.example');
  await resolver.resolve4('a.example', { ttl: true });
  await resolver.reverse('1.2.3.4');
  await new Promise((resolve) => setImmediate(resolve));
  server.close();
}
main();
