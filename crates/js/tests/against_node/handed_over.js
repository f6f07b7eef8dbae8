// Addresses and lists of blocked ones, copied and sent to a worker.
const { BlockList, SocketAddress } = require('net');
const { Worker } = require('worker_threads');

const address = new SocketAddress({ address: '::1', family: 'ipv6', port: 5, flowlabel: 7 });
const copied = structuredClone(address);
console.log(copied, copied === address, SocketAddress.isSocketAddress?.(copied));

const list = new BlockList();
list.addAddress('1.1.1.1');
list.addRange('1.1.1.2', '1.1.1.9');
list.addSubnet('8.8.8.8', 8);
list.addSubnet('fe80::', 10, 'ipv6');
const { one, other } = structuredClone({ one: list, other: list });
console.log(one === other, one === list, one instanceof BlockList, one.rules);
// A copy has the rules of the list, whoever adds them.
one.addAddress('3.3.3.3');
console.log(list.check('3.3.3.3'), list.check('8.1.2.3'), list.check('fe80::1', 'ipv6'), list.check('9.9.9.9'), list);

const program = `
  const { parentPort, workerData: { list, address } } = require('worker_threads');
  const answers = ['1.1.1.5', '3.3.3.3', '9.9.9.9'].map((one) => list.check(one));
  parentPort.postMessage({ rules: list.rules, answers, address, list });
`;
const worker = new Worker(program, { eval: true, workerData: { list, address } });
worker.on('message', ({ rules, answers, address, list }) => {
  console.log(rules, answers, address, list instanceof BlockList, list.check('fe80::1', 'ipv6'));
});
