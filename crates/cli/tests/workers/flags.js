// Where a worker's flags come from, and what its text may declare.
'use strict';
const { MessageChannel, MessagePort, Worker, isMainThread } = require('worker_threads');

const ended = (file, options) => new Promise((resolve) => new Worker(file, { ...options, env: options.env && { ...options.env } }).on('exit', resolve));

async function main() {
  for (const options of [
    {},
    { env: {} },
    { env: { NODE_OPTIONS: '--no-deprecation' } },
    { execArgv: ['--throw-deprecation'] },
    { execArgv: ['--throw-deprecation'], env: { NODE_OPTIONS: '--no-deprecation' } },
    { execArgv: [] },
  ]) {
    console.log(options);
    await ended(__filename, options);
  }
  await ended('const __filename = 3, exports = 4; console.log(__filename, exports, typeof require)', { eval: true });
  await ended('const __filename = 3; await 1; console.log(__filename, typeof require)', { eval: true });

  for (const make of [() => MessagePort(), () => new MessagePort(), () => new (class extends MessagePort {})()]) {
    try {
      make();
    } catch ({ name, code, message }) {
      console.log(name, code, message);
    }
  }
  const { port1 } = new MessageChannel();
  console.log(port1 instanceof MessagePort, port1.constructor === MessagePort, MessagePort);
}

if (isMainThread) main();
else console.log(process.execArgv.filter((flag) => !flag.startsWith('--seed')), process.noDeprecation, process.throwDeprecation, process.env.NODE_OPTIONS);
