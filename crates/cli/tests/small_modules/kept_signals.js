// Which signals live on: those with a time limit only for who has them or listens to them.
const { inspect } = require('util');

const heard = [];
const listen = (name, signal) => signal.addEventListener('abort', () => heard.push(`${name} ${signal.reason.name}`));
const dropped = [
  new WeakRef(AbortSignal.timeout(2 ** 30)),
  (() => {
    const signal = AbortSignal.timeout(2 ** 30);
    const listener = () => heard.push('never');
    signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', listener);
    return new WeakRef(signal);
  })(),
  new WeakRef(AbortSignal.any([AbortSignal.timeout(2 ** 30)])),
];
const kept = [
  (() => {
    const signal = AbortSignal.timeout(2 ** 30);
    signal.onabort = () => heard.push('never');
    return new WeakRef(signal);
  })(),
];
listen('own', AbortSignal.timeout(1));

const isThere = (reference) => reference.deref() !== undefined;

async function main() {
  await new Promise(setImmediate);
  gc();
  console.log(dropped.map(isThere), kept.map(isThere));
  await new Promise((resolve) => setTimeout(resolve, 30));
  console.log(heard);
  const { port1, port2 } = new MessageChannel();
  console.log(inspect(port1, { depth: -1 }), inspect({ a: { port2 } }, { depth: 1 }));
  port1.close();
}

main();
